import * as z from "zod";
import { EXIT, Failure } from "../../api/failure.ts";

/** What a snapshot must not lose much of compared with the one before it. */
export const countsSchema = z.object({ heroes: z.int(), languages: z.int(), records: z.int() });

export type Counts = z.infer<typeof countsSchema>;

/** Of many datasets a message names the first. */
const MAX_NAMED = 5;
const MAX_NAME_CHARS = 40;

/**
 * Throws a Failure (`shrunk`) where more than `maxLoss` percent of the heroes, languages or records are lost, or all records of a
 * dataset, which are 100 percent of it: `lost` names those.
 */
export function checkShrink(before: Counts, now: Counts, maxLoss: number, lost: readonly string[] = []): void {
  const names = Object.keys(countsSchema.shape) as (keyof Counts)[];
  // Whole numbers on both sides: a loss of exactly the limit passes.
  const shrunk = names.filter((name) => 100 * (before[name] - now[name]) > maxLoss * before[name]);
  const emptied = maxLoss < 100 ? lost : [];
  if (shrunk.length === 0 && emptied.length === 0) return;
  const named = emptied.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_CHARS));
  const more = emptied.length > MAX_NAMED ? ` and ${emptied.length - MAX_NAMED} more` : "";
  const losses = [
    ...shrunk.map((name) => `${name} from ${before[name]} to ${now[name]}`),
    ...(emptied.length > 0 ? [`all records of ${named.join(", ")}${more}`] : []),
  ];
  const percents = shrunk.map((name) => Math.ceil((100 * (before[name] - now[name])) / before[name]));
  const needed = Math.max(...percents, ...(emptied.length > 0 ? [100] : []));
  const [only = "", another] = named;
  const leftOut = only && another === undefined ? `, or crawl without that endpoint: --without ${only}` : "";
  throw new Failure(
    EXIT.shrunk,
    `the snapshot has shrunk by more than ${maxLoss} %: ${losses.join(", ")}; nothing was published`,
    `if that is right, publish it with \`npm run build -- --max-loss ${needed}\`${leftOut}`,
  );
}
