import { readFileSync, statSync } from "node:fs";
import { InvalidArgumentError, type Option } from "commander";
import { isAsked } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { option } from "../command.ts";
import { UNITS } from "./pull.ts";
import { MEANINGS } from "./variables.ts";

/** The maximum age of the records of an endpoint, in milliseconds, by its dataset. */
export type MaxAges = ReadonlyMap<string, number>;

const DATASETS = ENDPOINTS.filter(isAsked).map(({ dataset }) => dataset);

const UNITS_AND_DAYS: Record<string, number> = { ...UNITS, d: 86_400_000 };

const MAX_AGE_DAYS = 3650;

const MAX_FILE_BYTES = 64 * 1024;

/** Ages as `counters=7d,hero=30d`, or the path of a file with such an entry in each line. Repeatable. */
export function maxAgeOf(what: string): Option {
  const given = new Map<string, number>();
  return option("--max-age-of <ages>", `${MEANINGS["max-age-of"]}; ${what}`).argParser((text): MaxAges => {
    const entries = readLines(text) ?? text.split(",").map((entry) => entry.trim());
    for (const entry of entries) {
      const [dataset, ms] = parseEntry(entry);
      if (given.has(dataset)) throw new InvalidArgumentError(`It names ${dataset} twice.`);
      given.set(dataset, ms);
    }
    if (given.size === 0) throw new InvalidArgumentError("It names nothing.");
    return given;
  });
}

/** Reads the entries of a file, without empty lines and comments after a #. Undefined if there is no such file. */
function readLines(path: string): string[] | undefined {
  // A path from outside may hold anything, and may not be a path at all.
  const stats = path.includes("\0") ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES)
    throw new InvalidArgumentError(`It must be a file of at most ${MAX_FILE_BYTES} bytes.`);
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  return lines.map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "");
}

function parseEntry(entry: string): [dataset: string, ms: number] {
  const [, dataset = "", count, unit = ""] = /^([\w-]{1,50}) *= *(\d{1,9})([smhd])$/.exec(entry) ?? [];
  const ms = Number(count) * (UNITS_AND_DAYS[unit] ?? 0);
  if (!(ms > 0 && ms <= MAX_AGE_DAYS * 86_400_000))
    throw new InvalidArgumentError(
      `${entry.slice(0, 80) || "An empty text"} is neither a file nor an entry such as counters=7d. An age has s, m, h or d and is at most ${MAX_AGE_DAYS}d.`,
    );
  if (DATASETS.includes(dataset)) return [dataset, ms];
  throw new InvalidArgumentError(`${dataset} is not a dataset. Allowed are ${DATASETS.join(", ")}.`);
}
