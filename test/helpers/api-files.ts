import { hash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { createQueryEngine } from "../../src/server/query/query-engine.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";

interface ReadIndex {
  format: string;
  version: string;
  sample: boolean;
  files: { path: string; bytes: number; sha256: string }[];
  missing: { path: string; reason: string; word?: string }[];
}

export const readIndex = (folder: string): ReadIndex => JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));

/** Every file under a folder by its path there, hidden ones too; a link is one. */
export function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => !entry.isDirectory());
  return entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

/** Finds what an index says wrongly of its folder; empty for a complete one. */
export function findUnlike(folder: string): string[] {
  return readIndex(folder).files.flatMap(({ path, bytes, sha256 }) => {
    const file = join(folder, path);
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return [`${path} is gone`];
    const body = readFileSync(file);
    return body.length === bytes && hash("sha256", body) === sha256 ? [] : [`${path} is other`];
  });
}

const LANG = /^([a-z]{2}(?:-[A-Z]{2})?)\/(?=api\/)/;

/** Returns the request to a server that has the records of a file: found by the words of its path alone, without the rule that made it. */
export function toQuery(path: string): { endpoint: Endpoint; identifier: string | undefined; query: URLSearchParams } {
  const [, lang = "en"] = LANG.exec(path) ?? [];
  const parts = path
    .replace(LANG, "")
    .replace(/\.json$/, "")
    .split("/");
  const fits = ENDPOINTS.filter(({ path: route }) => {
    const template = route.slice(1).split("/");
    return template.length <= parts.length && template.every((part, at) => part === parts[at] || part.startsWith("{"));
  });
  // The longest path, and of these the one with fewer parameters in it.
  const [endpoint] = fits.sort((a, b) => rankOf(b) - rankOf(a));
  if (!endpoint) throw new Error(`no endpoint has ${path}`);
  const template = endpoint.path.slice(1).split("/");
  const named = template.findIndex((part) => part.startsWith("{"));
  const query = new URLSearchParams({ lang });
  if (endpoint.parameters.some(({ name }) => name === "size")) query.set("size", "100000");
  for (const word of parts.slice(template.length)) {
    const taker = endpoint.parameters.find(
      ({ kind, name, ...rest }) =>
        kind === "choice" && !query.has(name) && "values" in rest && rest.values.includes(word),
    );
    if (!taker) throw new Error(`nothing of ${endpoint.path} takes ${word}`);
    query.set(taker.name, word);
  }
  return { endpoint, identifier: named < 0 ? undefined : parts[named], query };
}

const rankOf = ({ path }: Endpoint) => path.split("/").length * 10 - path.split("{").length;

/** Those that no endpoint has. */
export const API_DOCUMENTS = ["api/heroes/by-name.json", "datapackage.json", "version.json"];

/** A file as the answer that it is made of. */
const toAnswer = (file: string) =>
  readFileSync(file, "utf8")
    .replace(/^\{"sample":true,/, "{")
    .replaceAll("\n", "");

/** Throws where a file is not, byte for byte, what a server answers from the snapshot. */
export function expectServed(snapshot: string, out: string) {
  const open = openSnapshot(snapshot);
  const engine = createQueryEngine(open);
  const { files, missing } = readIndex(out);
  try {
    for (const { path } of files.filter(({ path }) => !API_DOCUMENTS.includes(path))) {
      const { endpoint, identifier, query } = toQuery(path);
      const answer = engine.execute(engine.parse(endpoint, identifier, query)).toString();
      if (toAnswer(join(out, path)) !== answer) expect(toAnswer(join(out, path)), path).toBe(answer);
    }
    for (const { path, reason } of missing.filter(({ reason }) => reason !== "not-a-path")) {
      const { endpoint, identifier, query } = toQuery(
        path.replace(/\{hero_identifier\}/, "1").replace(/\{\w+\}/, "1000000"),
      );
      const ask = () => engine.execute(engine.parse(endpoint, identifier, query));
      expect(ask, `${path}: ${reason}`).toThrow(/This snapshot|has not been asked|did not give|no entry/);
    }
  } finally {
    open.close();
  }
}
