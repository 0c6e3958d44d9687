import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hintWithoutSnapshot, nameForShell } from "../../src/snapshot/published/folder.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const VERSION = "20260801T040000Z-00000000";

/** What a demo leaves that has come to its end: a pointer, and a snapshot with its manifest. */
function layDemo(folder: string) {
  mkdirSync(join(folder, "snapshots"), { recursive: true });
  for (const name of ["latest.json", `snapshots/${VERSION}.sqlite`, `snapshots/${VERSION}.json`])
    writeFileSync(join(folder, name), "{}");
}

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ["verify"],
  ["serve", "--port", "0"],
  ["serve", "--get", "/api/heroes"],
  ["diff"],
  ["diff", VERSION, VERSION],
  ["history"],
  ["export", "--out", "OUT"],
  ["export", "--out", "OUT", VERSION],
  ["rollback"],
  ["rollback", "--to", VERSION],
  ["publish-to", "OUT"],
];

test.for(COMMANDS)("%s without a snapshot names the one of a finished demo, in one line", async ([name, ...rest]) => {
  using folder = temporaryFolder();
  const [data, demo, out] = ["data", ".demo", "out"].map((one) => join(folder.path, one)) as [string, string, string];
  const run = () => runCommand(name, ["--data", data, ...rest.map((word) => (word === "OUT" ? out : word))]);
  const hint = `; take the snapshot of the demo with --data ${demo}, or `;
  const alone = await run();
  expect([alone.code, alone.stdout, alone.stderr.includes(".demo")]).toEqual([64, "", false]);
  layDemo(demo);
  const beside = await run();
  expect([beside.code, beside.stdout]).toEqual([64, ""]);
  expect(beside.stderr).toBe(alone.stderr.replace("; ", hint));
  expect(beside.stderr).toMatch(/^[^\n]+\n$/);
  // One that has not come to its end is no help.
  rmSync(join(demo, "snapshots"), { recursive: true });
  expect((await run()).stderr).toBe(alone.stderr);
});

test("a demo is named as one types it here", () => {
  using folder = temporaryFolder();
  const odd = join(folder.path, "it's $HOME");
  layDemo(join(odd, ".demo"));
  const words = hintWithoutSnapshot(join(odd, "data"), "crawl");
  const shown = / --data (.*), or crawl$/.exec(words)?.[1] ?? "";
  expect(execFileSync("bash", ["-c", `printf %s ${shown}`], { encoding: "utf8" })).toBe(join(odd, ".demo"));
  expect(nameForShell(join(process.cwd(), ".demo"))).toBe(".demo");
  writeFileSync(join(folder.path, ".demo"), "a file");
  expect(hintWithoutSnapshot(join(folder.path, "data"), "crawl")).toBe("crawl");
});

const ignored = (cwd: string, name: string) => {
  try {
    execFileSync("git", ["check-ignore", "--quiet", "--no-index", "--", name], { cwd });
    return true;
  } catch {
    return false;
  }
};

test("keys stay out of git: the checkout ignores both halves, and elsewhere a line says if git does not", async () => {
  // In an installed package or an image nothing would be committed.
  if (existsSync(join(ROOT, ".git")))
    for (const name of ["metasnap.key", "metasnap.pub", "keys/night.key", "keys/night.pub"])
      expect(ignored(ROOT, name), name).toBe(true);
  using folder = temporaryFolder();
  const keys = (name: string) => runCommand("keys", ["--out", join(folder.path, name)]);
  expect(await keys("a.key")).toMatchObject({ code: 0, stderr: "" });
  execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
  expect(await keys("b.key")).toMatchObject({
    code: 0,
    stderr: `${join(folder.path, "b.key")}: git does not ignore this secret key, keep it out of commits\n`,
  });
  writeFileSync(join(folder.path, ".gitignore"), "*.key\n");
  expect(await keys("c.key")).toMatchObject({ code: 0, stderr: "" });
});
