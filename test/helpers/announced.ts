import { readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { manifestOf } from "./data-folder.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, temporaryFolder } from "./run.ts";
import { queryFile } from "./sqlite.ts";
import { startAround } from "./upstream/around.ts";

export const DOCUMENT = "/api/openapi.json";
export const FEW = [...LITTLE, "--endpoints", "relations", "--allow-partial"];

/** The part of the document that the newest journal remembers. */
export function announcedIn(data: string): unknown {
  const folder = join(data, "journals");
  const journals = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  const [row] = queryFile<{ json: string }>(
    join(folder, journals.sort().at(-1) ?? ""),
    "SELECT json FROM state WHERE name = 'announced'",
  );
  return row && JSON.parse(row.json);
}

/** The lines of a crawl about the document. */
export const toldOfDocument = ({ events }: Ended) =>
  events.filter(({ event }) => event === "deprecated" || event === "enumerations");

/** The sample of one hero with other answers to some paths. */
export async function startWith(answers: Readonly<Record<string, RequestListener>>) {
  const sample = await startSample({ heroes: 1 });
  const around = await startAround(sample.url, answers);
  return {
    ...around,
    async [Symbol.asyncDispose]() {
      await around[Symbol.asyncDispose]();
      await sample.close();
    },
  };
}

/** A night of an upstream with this document. */
export async function crawlWithDocument(document: RequestListener, ...more: string[]) {
  using folder = temporaryFolder();
  await using upstream = await startWith({ [DOCUMENT]: document });
  const ended = await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, ...more]);
  expect([ended.code, ended.stderr, manifestOf(folder.path).crawl.failed_attempts]).toEqual([0, "", 0]);
  return { ...ended, told: toldOfDocument(ended), announced: announcedIn(folder.path) };
}

export const withPaths = (paths: object, components: object = {}) => ({ openapi: "3.1.0", paths, components });

export const DEPRECATED = { get: { deprecated: true } };
export const RATINGS = { "/api/academy/heroes/ratings": DEPRECATED };
