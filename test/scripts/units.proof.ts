import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BIN = join(ROOT, manifest.bin.metasnap);
const FOLDER = join(ROOT, "scripts", "deploy", "systemd");
const UNITS = readdirSync(FOLDER);
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));

const readUnit = (name: string) => readFileSync(join(FOLDER, name), "utf8");

describe("systemd-analyze", () => {
  /** The units with the command of this checkout, and what it says of them. */
  function analyze(words: string[], names: string[], change = (unit: string) => unit) {
    using folder = temporaryFolder();
    for (const name of UNITS)
      writeFileSync(join(folder.path, name), change(readUnit(name)).replace("=metasnap ", `=${BIN} `));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", [...words, ...names], {
      cwd: folder.path,
      encoding: "utf8",
    });
    return { status, said: stdout + stderr };
  }

  const verify = ["verify", "--recursive-errors=no", "--man=no"];
  const security = ["security", "--offline=true", "--threshold=40", "--no-pager"];

  test("knows every word of them", () => {
    const names = UNITS.map((name) => `./${name}`);
    expect(analyze(verify, names)).toEqual({ status: 0, said: "" });
    const misspelt = analyze(verify, names, (unit) => unit.replace("PrivateTmp=", "PrivateTemp="));
    expect(misspelt.said).toContain("'PrivateTemp'");
  });

  test.for(SERVICES)("finds %s exposed by 4.0 of 10 at most", (name) => {
    expect(analyze(security, [`./${name}`])).toMatchObject({ status: 0 });
    const open = analyze(security, [`./${name}`], (unit) => unit.replace(/^(Cap|Protect|Private|SystemCall).*$/gm, ""));
    expect(open).toMatchObject({ status: 1 });
  });
});
