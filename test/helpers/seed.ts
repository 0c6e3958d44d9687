import { randomInt } from "node:crypto";

/** What chance begins with in this file of tests; `SEED=…` repeats it. */
export const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));

process.stdout.write(`SEED=${SEED}\n`);
