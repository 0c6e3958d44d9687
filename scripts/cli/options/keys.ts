import { InvalidArgumentError, type Option } from "commander";
import { loadPublicKey, loadSigningKey } from "../../../src/snapshot/signature/key-files.ts";
import { keyNumber, type SigningKey, type VerifyKey } from "../../../src/snapshot/signature/minisign.ts";
import type { Signer } from "../../../src/snapshot/signature/signed-manifest.ts";
import { option } from "../command.ts";
import { parseTime } from "./pull.ts";
import { MEANINGS } from "./variables.ts";

export interface SignerFlags {
  signingKey?: SigningKey;
  validFor: number;
}

/** Public keys, and how settings name them. */
export interface PublicKeys {
  keys: VerifyKey[];
  text: string;
}

/** Refuses without quoting the value: somebody may give the key itself. */
export const signingKey = (): Option =>
  option("--signing-key <file>", MEANINGS["signing-key"]).argParser(loadSigningKey);

export const validFor = (): Option =>
  option("--valid-for <time>", MEANINGS["valid-for"])
    .argParser(parseTime)
    .default(168 * 3_600_000, "168h");

export const toSigner = ({ signingKey, validFor }: SignerFlags): Signer | undefined =>
  signingKey && { key: signingKey, validForMs: validFor };

/** The reason for a night whose signature was right, but whose manifest is another one here. */
export const NOT_KEPT =
  "its signature is not passed on: other nights lie here, so the night has another number than its maker gave it";

/** An option for keys by commas or by repetition: while a maker changes to another key, the old one and the new one. */
export function publicKeys(more = ""): Option {
  const given = new Map<string, VerifyKey>();
  return option("--key <keys>", MEANINGS.key + more).argParser((text): PublicKeys => {
    for (const source of text.split(",").map((word) => word.trim())) {
      const key = loadKey(source);
      given.set(keyNumber(key), key);
    }
    return { keys: [...given.values()], text: [...given.keys()].join(",") };
  });
}

function loadKey(text: string): VerifyKey {
  try {
    return loadPublicKey(text);
  } catch {
    throw new InvalidArgumentError(
      "It must be a public key of minisign (56 characters, RW…) or its file. Separate several by commas.",
    );
  }
}
