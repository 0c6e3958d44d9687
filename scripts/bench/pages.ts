import { request } from "undici";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import type { Bench, Budget, Figure } from "./budget.ts";
import { startMirror } from "./mirror.ts";
import { cpuSeconds } from "./process.ts";

/** Budgets of pages for people, beside those for programs: every page in all languages, none of them made before. */
export const PAGE_BUDGETS: readonly Budget[] = [
  {
    name: "`/`, of an API answer of the same records",
    how: "time to the last byte, uncached",
    bound: "≤",
    limit: 3,
    unit: " ×",
    measure: measureHome,
  },
  {
    name: "the heaviest page, by one core",
    how: "processor time, uncached",
    bound: "≥",
    limit: 10,
    unit: "/s",
    measure: measureHeaviest,
  },
];

const inAllLanguages = (path: string, more = "") => LANG_CODES.map((lang) => `${path}?lang=${lang}${more}`);

/** Measures the 20 heroes of `/` and the same 20 of the API, in turns, from the request to the last byte. */
async function measureHome(bench: Bench): Promise<Figure> {
  const ratios: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const mirror = await startMirror(bench);
    try {
      const [pages, answers] = [inAllLanguages("/"), inAllLanguages("/api/heroes/rank", "&size=20")];
      const took = await timeEach(
        mirror.found,
        pages.flatMap((page, index) => [page, answers[index] ?? ""]),
      );
      const medianFrom = (first: number) => medianOf(took.filter((_, index) => index % 2 === first));
      ratios.push(medianFrom(0) / medianFrom(1));
    } finally {
      await mirror.stop();
    }
  }
  return { value: medianOf(ratios) };
}

async function timeEach(url: string, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const begun = performance.now();
    await askAsBrowser(url + path);
    times.push(performance.now() - begun);
  }
  return times;
}

/** Asks as a browser does, which takes compressed pages. */
async function askAsBrowser(url: string) {
  const { statusCode, body } = await request(url, { headers: { "accept-encoding": "gzip, deflate, br, zstd" } });
  await body.dump({ limit: Number.POSITIVE_INFINITY });
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
}

/** Measures how many of the most expensive page one core makes in a second. */
async function measureHeaviest(bench: Bench): Promise<Figure> {
  const mirror = await startMirror(bench);
  const pid = mirror.child.pid ?? 0;
  try {
    const seconds: number[] = [];
    for (const { route } of PAGES) {
      const before = cpuSeconds(pid);
      for (const path of inAllLanguages(route.replace("{id}", "1"))) await askAsBrowser(mirror.found + path);
      seconds.push((cpuSeconds(pid) - before) / LANG_CODES.length);
    }
    return { value: 1 / Math.max(...seconds) };
  } finally {
    await mirror.stop();
  }
}
