import { LRUCache } from "lru-cache";
import { lazily } from "./lazily.ts";

/** Content codings, the one that we like best first. */
export const CODINGS = ["br", "zstd", "gzip"] as const;

export type Coded = (typeof CODINGS)[number];

export type Coding = Coded | "identity";

const negotiators = lazily<new (request: { headers: Record<string, string> }) => Encodings>("negotiator");

export async function encode(bytes: Uint8Array, coding: Coded): Promise<Buffer> {
  const { ENCODERS } = await import("./encoders.ts");
  return ENCODERS[coding](bytes);
}

/** As version 1 has it; its published types are those of version 0. */
interface Encodings {
  encodings(available: Coding[], options: { preferred: readonly Coding[] }): Coding[];
}

/** Clients say the same few things for ever: each is understood once. */
const understood = new LRUCache<string, Coding>({ max: 500 });

/** The form that a client likes best. Who refuses every one gets the plain one: better than no answer. */
export function negotiate(accepted: string | undefined): Coding {
  if (accepted === undefined) return "identity";
  const known = understood.get(accepted);
  if (known !== undefined) return known;
  const negotiator = new (negotiators())({ headers: { "accept-encoding": accepted } });
  const coding = negotiator.encodings([...CODINGS, "identity"], { preferred: CODINGS })[0] ?? "identity";
  if (accepted.length < 200) understood.set(accepted, coding);
  return coding;
}
