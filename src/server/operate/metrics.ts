/** Upper bounds of the durations, in seconds. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const OTHER = "other";
/** By the first digit of the status; the first is for answers that the client did not wait for. */
const STATUSES = ["gone", "1xx", "2xx", "3xx", "4xx", "5xx"];

export interface Series {
  route: string;
  method: string;
  status: string;
  count: number;
  /** Seconds. */
  sum: number;
  /** By bucket, not cumulative; the last has no upper bound. */
  buckets: Float64Array;
}

export interface Metrics {
  readonly inFlight: number;
  readonly refused: ReadonlyMap<number, number>;
  begin(): void;
  /** `status` 0: the client did not wait for the answer. */
  end(route: string, method: string, status: number, seconds: number): void;
  refuse(status: number): void;
  series(): Series[];
}

/**
 * What happened, counted in plain numbers: a request costs two look-ups and three additions. The library that writes them
 * out comes in when somebody asks (exposition.ts). Routes are named by their templates, so that nobody can make series.
 */
export function createMetrics(): Metrics {
  const routes = new Map<string, (Series | undefined)[]>();
  const refused = new Map<number, number>();
  let inFlight = 0;

  /** The series of a route, by method and status. */
  function seriesOf(route: string): (Series | undefined)[] {
    const known = routes.get(route);
    if (known) return known;
    const made: (Series | undefined)[] = [];
    routes.set(route, made);
    return made;
  }

  function add(all: (Series | undefined)[], route: string, method: number, status: number): Series {
    const made = {
      route,
      method: METHODS[method] ?? OTHER,
      status: STATUSES[status] ?? OTHER,
      count: 0,
      sum: 0,
      buckets: new Float64Array(BUCKETS.length + 1),
    };
    all[(method + 1) * STATUSES.length + status] = made;
    return made;
  }

  return {
    get inFlight() {
      return inFlight;
    },
    refused,
    begin() {
      inFlight += 1;
    },
    end(route, name, code, seconds) {
      inFlight -= 1;
      const method = METHODS.indexOf(name);
      const status = Math.floor(code / 100);
      const all = seriesOf(route);
      const one = all[(method + 1) * STATUSES.length + status] ?? add(all, route, method, status);
      one.count += 1;
      one.sum += seconds;
      let bucket = 0;
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
      (one.buckets[bucket] as number) += 1;
    },
    refuse: (status) => void refused.set(status, (refused.get(status) ?? 0) + 1),
    series: () => [...routes.values()].flatMap((all) => all.filter((one) => one !== undefined)),
  };
}
