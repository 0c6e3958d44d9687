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
import { manifestFileOf } from "../helpers/data-folder.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { signNights } from "../helpers/signed.ts";

const TEXT = Buffer.from('{"version":"20261101T030000Z-0123abcd"}\n');
const COMMENT = "20261101T030000Z-0123abcd.json";

describe("minisign", () => {
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

  test("verifies the manifest of a signed night", async () => {
    using night = await signNights();
    const said = minisign("-V", "-p", night.pub, "-m", manifestFileOf(night.path));
    expect(said).toContain(`file:${night.second}.json\texpires_at:`);
  });
});
