import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { EXIT, Failure } from "../../api/failure.ts";
import {
  createSigningKey,
  readPublicKey,
  readSigningKey,
  type SigningKey,
  type VerifyKey,
  writePublicKey,
  writeSigningKey,
} from "./minisign.ts";

/** The most bytes of a key file of either kind; real ones have a tenth of it. */
const MAX_KEY_BYTES = 4096;

const HOW = "`npm run keys` makes a pair of keys; this takes the path of the secret one, not the key itself";

/** Returns the path of the public half of a secret key. */
export const publicFileOf = (file: string) => `${file.replace(/\.key$/, "")}.pub`;

/** Writes a new pair, the secret half for its owner alone; returns the public one. Throws a Failure if a file is there. */
export function createKeyFiles(file: string): string {
  const beside = publicFileOf(file);
  for (const half of [file, beside])
    if (existsSync(half))
      throw new Failure(
        EXIT.usage,
        `${half}: is there already, and is not overwritten`,
        "name another file with --out",
      );
  const key = createSigningKey();
  writeFileSync(file, writeSigningKey(key), { flag: "wx", mode: 0o600 });
  writeFileSync(beside, writePublicKey(key), { flag: "wx" });
  return writePublicKey(key);
}

/**
 * Loads the secret key in a file. Throws a Failure for usage if it cannot be one, or if others may read it. No message has a word of what
 * was given or read: it may be the key.
 */
export function loadSigningKey(file: string): SigningKey {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_KEY_BYTES)
    throw new Failure(EXIT.usage, "the signing key: no such file, or none of a key's size", HOW);
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    const hint = "change that with `chmod 600`";
    throw new Failure(EXIT.usage, `${file}: others may read this secret key (mode ${mode})`, hint);
  }
  try {
    return readSigningKey(readFileSync(file, "utf8"));
  } catch {
    throw new Failure(EXIT.usage, `${file}: is not a secret Ed25519 key in PEM without a passphrase`, HOW);
  }
}

/** Loads a public key from its text, or from the file that it is in. Throws if it is neither. */
export function loadPublicKey(given: string): VerifyKey {
  const stats = statSync(given, { throwIfNoEntry: false });
  return readPublicKey(stats?.isFile() && stats.size <= MAX_KEY_BYTES ? readFileSync(given, "utf8") : given);
}
