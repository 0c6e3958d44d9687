import { existsSync } from "node:fs";
import { manifestOf, readDocument } from "../published/folder.ts";
import { pointerSchema } from "../published/pointer.ts";
import type { ExpectedFile } from "./checks.ts";

/** What the manifest beside a file says; a reason where it cannot be read, nothing where there is none. */
export function readExpected(file: string): ExpectedFile | string | undefined {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return undefined;
  try {
    return pointerSchema.parse(JSON.parse(readDocument(beside)));
  } catch {
    return "the file beside it is not a manifest";
  }
}
