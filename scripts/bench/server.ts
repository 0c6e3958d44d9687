import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
import type { Bench, Budget, Figure } from "./budget.ts";
import { type Sides, sideBySide } from "./load/compare.ts";
import { openQueries, type Queries } from "./load/queries.ts";
import type { Load } from "./load/wrk.ts";
import { measureMemory } from "./mirror.ts";

/** The smallest cache in MiB, and how many times as much is asked for so that it holds next to nothing of it. */
const NO_CACHE = 1;
const TIMES_THE_CACHE = 30;
/** The share of a core that counts as all of it: either the client's, which then is what was measured, or else each server's. */
const WHOLE_CORE = 0.9;

interface Workload {
  paths(queries: Queries): string[];
  how: string;
  cached: boolean;
}

/** Requests that fit into the cache, half of them lists. */
const HOT: Workload = {
  how: "200 URLs, half of them lists",
  paths: (queries) => [...queries.lists(100), ...queries.heroes(100)],
  cached: true,
};
const HEROES: Workload = {
  how: "10 000 URLs, `--cache 1`",
  paths: (queries) => queries.heroes(10_000),
  cached: false,
};
const LISTS: Workload = {
  how: "2000 URLs, `--cache 1`",
  paths: (queries) => queries.lists(2000),
  cached: false,
};

/** The server's budgets (design, section 8), each as a ratio to a bare server in the same rounds. */
export const SERVER_BUDGETS: readonly Budget[] = [
  rateOf(HOT, { name: "cached answer, of a bare server's rate", limit: 0.9, cost: "Request ids, counters." }),
  rateOf(HEROES, {
    name: "uncached single-hero answer, of a bare server's rate",
    limit: 0.33,
    cost: "Routing, checks, reading, hashing.",
  }),
  rateOf(LISTS, {
    name: "uncached 20-record list, of a bare server's rate",
    limit: 0.22,
    cost: "The same, and texts in 20 records.",
  }),
  p99Of(HOT, { name: "p99 of a cached answer, of a bare server's", limit: 1.5, cost: "The queue." }),
  p99Of(HEROES, {
    name: "p99 of an uncached single-hero answer, of a bare server's",
    limit: 4,
    cost: "31 answers wait before it.",
  }),
  p99Of(LISTS, {
    name: "p99 of an uncached 20-record list, of a bare server's",
    limit: 4,
    cost: "31 lists wait before it.",
  }),
  {
    name: "memory after every slice was asked once",
    how: "resident size",
    bound: "≤",
    limit: 150,
    unit: " MB",
    cost: "[More with pages](../deploy/README.md#memory).",
    measure: measureMemory,
  },
];

type Told = Pick<Budget, "name" | "limit" | "cost"> & Partial<Pick<Budget, "how">>;

function rateOf(workload: Workload, told: Told): Budget {
  const show = (rate: number) => `${rate.toFixed(0)}/s`;
  const measure = (bench: Bench) => compare(bench, workload, "rate", show);
  return { how: workload.how, ...told, bound: "≥", unit: "", load: true, measure };
}

function p99Of(workload: Workload, told: Told): Budget {
  const show = (p99: number) => `${p99.toFixed(1)} ms`;
  const measure = (bench: Bench) => compare(bench, workload, "p99", show);
  return { how: "the same load", ...told, bound: "≤", unit: " ×", load: true, measure };
}

async function compare(
  bench: Bench,
  workload: Workload,
  what: "rate" | "p99",
  show: (figure: number) => string,
): Promise<Figure> {
  const { loads } = await measure(bench, workload);
  const median = (side: keyof Sides["loads"], of: keyof Load) => medianOf(loads[side].map((load) => load[of]));
  const [mirror, other] = [median("mirror", "server"), median("bare", "server")];
  const client = Math.max(median("mirror", "client"), median("bare", "client"));
  const atLeast = median("nginx", "client") > WHOLE_CORE ? "≥ " : "";
  return {
    value: medianOf(loads.mirror.map((load, round) => load[what] / (loads.bare[round]?.[what] ?? Number.NaN))),
    beside: {
      mirror: show(median("mirror", what)),
      bare: show(median("bare", what)),
      nginx: loads.nginx.length === 0 ? "" : `${atLeast}${show(median("nginx", what))}`,
      busy: [mirror, other, client].map((part) => (100 * part).toFixed(0)).join(", "),
    },
    doubt: doubtOf(mirror, other, client),
    failed: Object.values(loads)
      .flat()
      .reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Tells why the figure of two servers proves nothing, by the use of their cores and the client's. */
function doubtOf(mirror: number, other: number, client: number): Figure["doubt"] {
  if (client > WHOLE_CORE) return "client-bound";
  return Math.min(mirror, other) < WHOLE_CORE ? "disturbed" : undefined;
}

const measured = new Map<Workload, Promise<Sides>>();
// One run gives rate and p99.
function measure(bench: Bench, workload: Workload): Promise<Sides> {
  const run = measured.get(workload) ?? ask(bench, workload);
  measured.set(workload, run);
  return run;
}

async function ask(bench: Bench, { paths, cached }: Workload): Promise<Sides> {
  const drawn = paths(openQueries(bench.data));
  const sides = await sideBySide(bench, drawn, cached ? [] : ["--cache", String(NO_CACHE)]);
  const fill = sides.bytes / (NO_CACHE * 2 ** 20);
  if (!cached && fill < TIMES_THE_CACHE)
    throw new Error(`${drawn.length} answers fill the smallest cache only ${fill.toFixed(0)} times`);
  return sides;
}
