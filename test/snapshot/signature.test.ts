import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createSigningKey,
  readPublicKey,
  signText,
  verifyText,
  writePublicKey,
} from "../../src/snapshot/signature/minisign.ts";
import { createDraw, drawn } from "../helpers/draw.ts";
import { isInstalled } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/run.ts";

const hasMinisign = isInstalled("minisign");
if (!hasMinisign) process.stdout.write("signatures are not tried with minisign: apt install minisign\n");

const TEXT = Buffer.from('{"version":"20261101T030000Z-0123abcd"}\n');
const COMMENT = "20261101T030000Z-0123abcd.json";

describe("a signature", () => {
  const key = createSigningKey();
  const own = readPublicKey(writePublicKey(key));
  const signature = signText(TEXT, key, COMMENT);

  test("is of its text, its key and its comment", () => {
    const other = readPublicKey(writePublicKey(createSigningKey()));
    expect(verifyText(TEXT, signature, [own])).toBe(COMMENT);
    expect(verifyText(TEXT, signature, [other, own])).toBe(COMMENT);
    expect(verifyText(TEXT, signature, [other])).toBeUndefined();
    expect(verifyText(TEXT, signature, [{ ...other, id: own.id }])).toBeUndefined();
    expect(verifyText(TEXT.subarray(1), signature, [own])).toBeUndefined();
    expect(verifyText(TEXT, signature.replace("20261101", "20261102"), [own])).toBeUndefined();
  });

  test(`holds for no other character of it (${drawn})`, () => {
    const draw = createDraw("signature");
    const [first = ""] = signature.split("\n");
    for (let turn = 0; turn < draw.many(2000, 100); turn += 1) {
      // What is not trusted stands in the first line.
      const at = first.length + 1 + draw.below(signature.length - first.length - 2);
      const changed = signature.slice(0, at) + draw.pick(["A", "b", "=", "\n", " ", ""]) + signature.slice(at + 1);
      if (changed !== signature) expect(verifyText(TEXT, changed, [own]), changed).toBeUndefined();
    }
  });

  test.for(["", "x", "RWQ=", writePublicKey(key).slice(0, -6), "A".repeat(56)])("%s is no key", (text) => {
    expect(() => readPublicKey(text)).toThrow("is no public key of minisign");
  });
});

describe.skipIf(!hasMinisign)("minisign", () => {
  const minisign = (...args: string[]) => execFileSync("minisign", args, { encoding: "utf8" });

  test("verifies what is signed here, and refuses it changed", () => {
    using folder = temporaryFolder();
    const [file, pub] = [join(folder.path, "night.json"), join(folder.path, "night.pub")];
    const key = createSigningKey();
    writeFileSync(file, TEXT);
    writeFileSync(pub, writePublicKey(key));
    writeFileSync(`${file}.minisig`, signText(TEXT, key, COMMENT));
    expect(minisign("-V", "-m", file, "-p", pub)).toContain(`Trusted comment: ${COMMENT}`);
    writeFileSync(file, "other");
    expect(() => minisign("-V", "-q", "-m", file, "-p", pub)).toThrow();
  });

  test("signs what is verified here", () => {
    using folder = temporaryFolder();
    const [file, pub, secret] = ["night.json", "night.pub", "night.key"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(file, TEXT);
    minisign("-G", "-W", "-p", pub, "-s", secret);
    minisign("-S", "-s", secret, "-m", file, "-t", "said by minisign");
    const signature = readFileSync(`${file}.minisig`, "utf8");
    expect(verifyText(TEXT, signature, [readPublicKey(readFileSync(pub, "utf8"))])).toBe("said by minisign");
  });
});
