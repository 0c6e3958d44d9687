import { rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import type { Nights } from "./crawl-nights.ts";
import { copyOf, published } from "./data-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    fewNights: Nights & { until: string[] };
  }
}

/** Three small nights that are only read, for what is not about what a night holds. */
export const fewNights = inject("fewNights");

/** A copy of their folder as the first so many of them left it. */
export const copyOfFirst = (count: 1 | 2 | 3) => copyOf(fewNights.until[count - 1] ?? "");

/** The same with the plain files only. */
export function plainCopyOfFirst(count: 1 | 2 | 3) {
  const folder = copyOfFirst(count);
  for (const name of published(folder.path)) if (name.endsWith(".zst")) rmSync(join(folder.path, "snapshots", name));
  return folder;
}
