import { describe, expect, test } from "vitest";
import {
  createSigningKey,
  readPublicKey,
  signText,
  verifyText,
  writePublicKey,
} from "../../src/snapshot/signature/minisign.ts";
import { expiryOf } from "../../src/snapshot/signature/signed-manifest.ts";
import { createRandom, SEED } from "../helpers/random.ts";

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

  test("holds for no other character of it", () => {
    const random = createRandom("signature");
    const [first = ""] = signature.split("\n");
    for (let turn = 0; turn < 2000; turn += 1) {
      // What is not trusted stands in the first line.
      const at = first.length + 1 + random.below(signature.length - first.length - 2);
      const changed = signature.slice(0, at) + random.pick(["A", "b", "=", "\n", " ", ""]) + signature.slice(at + 1);
      if (changed !== signature) expect(verifyText(TEXT, changed, [own]), `SEED=${SEED}: ${changed}`).toBeUndefined();
    }
  });

  test("has four lines and no more", () => {
    expect(verifyText(TEXT, signature.trimEnd(), [own])).toBe(COMMENT);
    for (const more of ["x", "\n", `\n${"junk ".repeat(2000)}`, `\n${signature}`])
      expect(verifyText(TEXT, signature + more, [own])).toBeUndefined();
  });

  test.for([
    ["2027-01-02T03:04:05Z", "2027-01-02T03:04:05Z"],
    ["2027-13-02T03:04:05Z", undefined],
    ["2027-01-02", undefined],
  ])("with expires_at:%s is valid until %s", ([written, until]) => {
    expect(expiryOf(signText(TEXT, key, `file:x.json\texpires_at:${written}`))).toBe(until);
  });

  const NO_KEYS = {
    empty: "",
    short: "x",
    "a beginning": "RWQ=",
    "a key that is cut": writePublicKey(key).slice(0, -6),
    long: "A".repeat(56),
  };
  test.for(Object.entries(NO_KEYS))("%s is no key", ([, text]) => {
    expect(() => readPublicKey(text)).toThrow("is not a public key of minisign");
  });
});
