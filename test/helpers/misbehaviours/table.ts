import { BODIES } from "./bodies.ts";
import { CODINGS } from "./codings.ts";
import { REPLIES } from "./replies.ts";
import type { Misbehaviour } from "./row.ts";
import { SIZES } from "./sizes.ts";
import { WIRE } from "./wire.ts";

const ROWS = { ...REPLIES, ...WIRE, ...CODINGS, ...BODIES, ...SIZES };

export type MisbehaviourName = keyof typeof ROWS;

/** All that an upstream of the tests can do wrong, by name. */
export const MISBEHAVIOURS: Readonly<Record<MisbehaviourName, Misbehaviour>> = ROWS;
