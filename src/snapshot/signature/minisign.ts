import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

/**
 * Signatures as minisign makes them (https://jedisct1.github.io/minisign/): Ed25519 over the BLAKE2b of a text, and once more over
 * that signature with a trusted comment.
 */

/** A public key with its number, which is also in each of its signatures. */
export interface VerifyKey {
  /** 8 bytes. */
  id: Buffer;
  key: KeyObject;
}

export interface SigningKey extends VerifyKey {
  /** The secret key. */
  key: KeyObject;
}

/** The algorithm of a key, and that of a signature over a hash. */
const ALGORITHM = { key: Buffer.from("Ed"), hashed: Buffer.from("ED") };
const [ID_BYTES, KEY_BYTES, SIGNATURE_BYTES] = [8, 32, 64];
/** The bytes before the raw public key in its DER form (RFC 8410). */
const DER_HEAD = Buffer.from("302a300506032b6570032100", "hex");
/** The most characters of a comment, also for minisign itself. */
const MAX_COMMENT_CHARS = 8192;

const hashOf = (bytes: Uint8Array) => createHash("blake2b512").update(bytes).digest();

const decode = (line: string | undefined, bytes: number): Buffer | undefined => {
  const decoded = Buffer.from(line ?? "", "base64");
  return decoded.length === bytes && decoded.toString("base64") === line ? decoded : undefined;
};

const linesOf = (text: string) => text.split(/\r?\n/);

export const createSigningKey = (): SigningKey => toSigningKey(generateKeyPairSync("ed25519").privateKey);

/** Reads a secret key from PKCS #8 in PEM. Throws if it is no Ed25519 key. */
export function readSigningKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("is no Ed25519 key");
  return toSigningKey(key);
}

/** Derives the number of a key from the key; minisign draws it. */
const toSigningKey = (key: KeyObject): SigningKey => ({ id: hashOf(rawPublicKey(key)).subarray(0, ID_BYTES), key });

export const writeSigningKey = ({ key }: SigningKey): string =>
  key.export({ format: "pem", type: "pkcs8" }).toString("ascii");

const rawPublicKey = (key: KeyObject) =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);

/** Writes the number of a key as minisign prints it. */
export const keyNumber = ({ id }: VerifyKey) => Buffer.from(id).reverse().toString("hex").toUpperCase();

/** Writes the file that others verify with. */
export function writePublicKey(signer: SigningKey): string {
  const bytes = Buffer.concat([ALGORITHM.key, signer.id, rawPublicKey(signer.key)]);
  return `untrusted comment: minisign public key ${keyNumber(signer)}\n${bytes.toString("base64")}\n`;
}

/** Reads a public key from such a file, or from its second line alone. Throws if it is no key. */
export function readPublicKey(text: string): VerifyKey {
  const lines = linesOf(text.trim());
  const bytes = decode(lines.at(-1), ALGORITHM.key.length + ID_BYTES + KEY_BYTES);
  if (!bytes?.subarray(0, 2).equals(ALGORITHM.key)) throw new Error("is not a public key of minisign");
  const der = Buffer.concat([DER_HEAD, bytes.subarray(2 + ID_BYTES)]);
  return {
    id: bytes.subarray(2, 2 + ID_BYTES),
    key: createPublicKey({ key: der, format: "der", type: "spki" }),
  };
}

/** Makes the text of a signature file. The comment is signed too. */
export function signText(text: Uint8Array, { id, key }: SigningKey, comment: string): string {
  const signature = sign(null, hashOf(text), key);
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature from metasnap",
    Buffer.concat([ALGORITHM.hashed, id, signature]).toString("base64"),
    `trusted comment: ${comment}`,
    global.toString("base64"),
    "",
  ].join("\n");
}

/**
 * Splits a signature file, which has four lines, into its parts; undefined if it is not one. The comment is to be trusted only after
 * `verifyText`.
 */
export function parseSignature(signature: string) {
  const [, first, commented = "", last, ...more] = linesOf(signature);
  const bytes = decode(first, ALGORITHM.hashed.length + ID_BYTES + SIGNATURE_BYTES);
  const global = decode(last, SIGNATURE_BYTES);
  const [, comment] = /^trusted comment: (.*)$/.exec(commented) ?? [];
  if (more.join("\n") !== "" || !bytes || !global || comment === undefined || comment.length > MAX_COMMENT_CHARS)
    return undefined;
  if (!bytes.subarray(0, 2).equals(ALGORITHM.hashed)) return undefined;
  return { id: bytes.subarray(2, 2 + ID_BYTES), textSignature: bytes.subarray(2 + ID_BYTES), comment, global };
}

/** Returns the trusted comment; undefined if none of the keys has signed this text. */
export function verifyText(text: Uint8Array, signature: string, keys: readonly VerifyKey[]): string | undefined {
  const parsed = parseSignature(signature);
  if (!parsed) return undefined;
  const { id, textSignature, comment, global } = parsed;
  const signer = keys.find((key) => key.id.equals(id));
  if (!signer || !verify(null, hashOf(text), signer.key, textSignature)) return undefined;
  return verify(null, Buffer.concat([textSignature, Buffer.from(comment)]), signer.key, global) ? comment : undefined;
}
