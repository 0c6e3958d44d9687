/** What `--json` prints: lines of JSON and nothing else, of what the sentences say. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCommand } from "../../scripts/cli/call.ts";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { fileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

const folder = temporaryFolder();
const [source, data] = ["source", "data"].map((name) => join(folder.path, name)) as [string, string];
const versions = fewNights.versions.slice(0, 2);
let mirror: RunningMirror;
beforeAll(async () => {
  using until = copyOfFirst(2);
  for (const copy of [source, data]) cpSync(until.path, copy, { recursive: true });
  mirror = await startFollowing(source);
});
afterAll(async () => {
  await mirror[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The objects, one on each line of the output, without the times of events, and how it ended. */
async function ask(command: string, ...words: string[]) {
  const { code, stdout, stderr } = await runCommand(command, [...words, "--json"]);
  const lines = stdout.trimEnd().split("\n");
  const said = lines.map((line): Record<string, unknown> => {
    const { time: _, ...more } = JSON.parse(line);
    return more;
  });
  return { code, stderr, said };
}

test("every command that tells a result can tell it so", async () => {
  const without = await Promise.all(
    COMMANDS.map(async (name) => {
      const { options } = (await loadCommand(name)).define();
      return options.some(({ long }) => long === "--json") ? [] : [name];
    }),
  );
  // A server has a log and `--get`; the others print for people, or for a shell.
  expect(without.flat()).toEqual(["serve", "sample", "bench", "demo", "completion"]);
});

describe("--json", () => {
  test("of rollback names the version", async () => {
    const [older = "", newer = ""] = versions;
    expect(await ask("rollback", "--data", data)).toEqual({
      code: 0,
      stderr: "",
      said: [{ event: "latest", version: older }],
    });
    expect((await ask("rollback", "--data", data, "--to", newer)).said).toEqual([{ event: "latest", version: newer }]);
    expect(pointerOf(data).version).toBe(newer);
  });

  test("of verify is one object with all checks and tables", async () => {
    const { code, said } = await ask("verify", "--data", data);
    const { sha256, size, coverage } = manifestOf(data);
    expect([code, said.length]).toEqual([0, 1]);
    expect(said[0]).toMatchObject({
      ...{ version: versions[1], file: fileOf(data), sha256, size, coverage, parity: [] },
      ...{ misfits: [], closed: [], holes: [], stale: [], drift: [] },
    });
    const printed = (await runCommand("verify", ["--data", data])).stdout;
    const checks = said[0]?.checks as { name: string; state: string }[];
    expect(checks.length).toBeGreaterThan(10);
    for (const { name, state } of checks) expect(printed).toMatch(new RegExp(`│ ${name} +│ ${state} `));
  });

  test("of verify has how it compares with a live upstream, and the same exit code", async () => {
    const words = ["--data", data, "--upstream", mirror.url, "--samples", "200", "--rate", "10000"];
    const { code, said } = await ask("verify", ...words);
    const parity = said[0]?.parity as { asked: number; equal: number }[];
    expect([code, parity.some(({ asked, equal }) => asked > 0 && equal === asked)]).toEqual([0, true]);
  });

  test("of pull is one object, and how far it is stands on stderr", async () => {
    using other = temporaryFolder();
    const words = [mirror.url, "--data", other.path];
    const first = await ask("pull", ...words);
    const [, version] = versions;
    const facts = { version, file: fileOf(other.path, version), latest: true, newlyClosed: [] };
    expect(first.said).toEqual([{ event: "published", changed: true, ...facts, holes: expect.anything() }]);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(`verifying ${version}\n`)]);
    const again = await ask("pull", ...words);
    expect(again).toMatchObject({ code: 2, said: [{ event: "unchanged", changed: false, ...facts }] });
  });

  test("of build, history, export, publish-to and keys has what their lines say", async () => {
    using other = temporaryFolder();
    const at = (name: string) => join(other.path, name);
    const [, version = ""] = versions;
    const built = await ask("build", "--data", data, "--allow-partial");
    expect(built).toMatchObject({ code: 2, stderr: "", said: [{ event: "unchanged", version, changed: false }] });
    const history = await ask("history", "--data", data, "--file", at("history.sqlite"));
    expect(history.said).toMatchObject([
      ...versions.map((one) => ({ event: "folded", version: one })),
      { event: "history", file: at("history.sqlite"), ingested: 2, marked: 0, damaged: 0 },
    ]);
    const exported = await ask("export", "--data", data, "--out", at("tables"), "--format", "csv", "--tables", "hero");
    expect(exported.said).toMatchObject([{ event: "exported", version, tables: 1, rows: 3 }]);
    const site = await ask("export", "--data", data, "--out", at("site"), "--format", "api");
    expect(site.said).toMatchObject([{ event: "exported", snapshot: fileOf(data), removed: 0 }]);
    const place = await ask("publish-to", at("place"), "--data", data);
    expect(place.said.at(-1)).toEqual({ event: "published", version, changed: true, place: at("place") });
    expect(place.said.length).toBeGreaterThan(4);
    const { code, said } = await ask("keys", "--out", at("night.key"));
    const key = expect.stringMatching(/^RW.{54}$/);
    const files = { secret_key: at("night.key"), public_key: at("night.pub") };
    expect([code, said]).toEqual([0, [{ event: "keys", ...files, key }]]);
  });
});
