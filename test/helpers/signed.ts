import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { manifestFileOf } from "./data-folder.ts";
import { publishDays } from "./mirror.ts";
import { runCommand, temporaryFolder } from "./run.ts";

/** The endpoints of such nights. */
export const SIGNED_ENDPOINTS = ["--endpoints", "heroes,rank,hero,stats"];

/** Two nights that were signed with the first of two keys. */
export async function signNights(...more: string[]) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const [path, secret, otherSecret] = [at("nights"), at("metasnap.key"), at("other.key")];
  for (const file of [secret, otherSecret]) await runCommand("keys", ["--out", file]);
  const [first = "", second = ""] = await publishDays(
    path,
    [0, 1],
    ...SIGNED_ENDPOINTS,
    "--signing-key",
    secret,
    ...more,
  );
  return {
    ...{ path, first, second, secret, otherSecret },
    ...{ pub: publicFileOf(secret), otherPub: publicFileOf(otherSecret) },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export const signatureFileOf = (data: string, version?: string): string => `${manifestFileOf(data, version)}.minisig`;

/** A manifest and its signature. */
export const signedTexts = (data: string, version: string): string[] =>
  [manifestFileOf(data, version), signatureFileOf(data, version)].map((file) => readFileSync(file, "utf8"));

/** The state and the figure that `verify` tells of the signature. */
export const signatureLine = ({ stdout }: { stdout: string }) =>
  /│ signature +│ (\w+) +│ (.*?) +│/.exec(stdout)?.slice(1);

export const editText = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));
