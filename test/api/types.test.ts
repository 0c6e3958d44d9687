import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderApiTypes } from "../../scripts/package/api-types.ts";
import { run } from "../helpers/package.ts";
import { temporaryFolder } from "../helpers/run.ts";

const TSC = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc");

/** The compiler refuses an expected error that is none, so each of these lines has exactly the error that it is said to have. */
const PROGRAM = `import type { Answer, components, Open } from "./api.d.ts";

declare const rank: Answer<"/api/heroes/rank">;
declare const open: Open<Answer<"/api/heroes/rank">>;
declare const openApi: Answer<"/api/openapi.json">;
declare const pointer: components["schemas"]["Pointer"];
const [record] = rank.data.records;
const [wide] = open.data.records;

export const rate: number | undefined = record?.data.main_hero_win_rate;
// @ts-expect-error A typo.
export const typo = record?.data.main_hero_winrate;
// @ts-expect-error A typo deep in a list.
export const deep = record?.data.sub_hero[0]?.heroId;
// @ts-expect-error A typo in an envelope.
export const envelope = rank.data.totals;
// @ts-expect-error A typo in a document of a mirror.
export const version = pointer.versions;

// A field that the upstream has added may be anything until it is looked at, and what is known stays what it is.
export const added: unknown = wide?.data.added_by_the_upstream;
export const addedDeep: unknown = wide?.data.sub_hero[0]?.added;
export const known: number | undefined = wide?.data.main_hero_win_rate;
// @ts-expect-error It is not known to be a number.
export const number: number = wide?.data.added_by_the_upstream;
// @ts-expect-error What is known is no text.
export const text: string | undefined = wide?.data.main_hero_win_rate;

// Of what nothing is known, everything may be there.
export const path: unknown = openApi.paths["/api/heroes"];

// An answer is an open one, so that whoever reads added fields takes both.
export const both: typeof open = rank;
`;

test("of answers are closed, so that a typo does not compile, and open ones reach what the upstream adds", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "api.d.ts"), await renderApiTypes());
  writeFileSync(join(folder.path, "program.ts"), PROGRAM);
  const words = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext"];
  const compile = (name: string) =>
    run(TSC, [...words, "--noUncheckedIndexedAccess", join(folder.path, name)]).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await compile("program.ts")).toBe("");
  // The compiler is there, and does look.
  writeFileSync(join(folder.path, "wrong.ts"), PROGRAM.replaceAll(/^\/\/ @ts-expect-error.*\n/gm, ""));
  expect((await compile("wrong.ts")).match(/error TS\d+/g)).toHaveLength(6);
});
