import * as z from "zod";
import { EXIT, Failure } from "../../api/failure.ts";

/** What a snapshot must not lose much of compared with the one before it. */
export const countsSchema = z.object({ heroes: z.int(), languages: z.int(), records: z.int() });

export type Counts = z.infer<typeof countsSchema>;

/** Throws a Failure (`shrunk`) where more than `maxLoss` percent of the heroes, languages or records are lost. */
export function checkShrink(before: Counts, now: Counts, maxLoss: number): void {
  const names = Object.keys(countsSchema.shape) as (keyof Counts)[];
  // Whole numbers on both sides: a loss of exactly the limit passes.
  const shrunk = names.filter((name) => 100 * (before[name] - now[name]) > maxLoss * before[name]);
  if (shrunk.length === 0) return;
  const losses = shrunk.map((name) => `${name} from ${before[name]} to ${now[name]}`);
  const needed = Math.max(...shrunk.map((name) => Math.ceil((100 * (before[name] - now[name])) / before[name])));
  throw new Failure(
    EXIT.shrunk,
    `the snapshot has shrunk by more than ${maxLoss} %: ${losses.join(", ")}; nothing was published`,
    `if that is right, publish it with \`npm run build -- --max-loss ${needed}\``,
  );
}
