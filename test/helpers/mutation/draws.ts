import { endpointOf } from "../../../src/api/endpoints.ts";
import { LANG_CODES, type Lang } from "../../../src/api/enumerations.ts";
import { createRandom, type Random } from "../random.ts";
import { NIGHTS, type Run } from "./crawls.ts";
import { parseJson } from "./json.ts";
import { ENVELOPE_KINDS, KINDS } from "./kinds.ts";
import { type Change, mutateBody, recordsOf } from "./mutate.ts";
import { type Mutation, toRequest } from "./mutations.ts";
import { type Bodies, collectPaths, ENVELOPE } from "./paths.ts";

/** Mutations that one night may have, each of another dataset. */
const MOST = 25;
/** Times to draw until a kind applies. */
const TRIES = 50;
/** Other languages than English in all runs of a seed: each needs a clean night of its own. */
const LANGUAGES = 3;

/** What is drawn does not depend on the runs before. */
export function createDraws(seed: string | number, bodies: Bodies) {
  const paths = collectPaths(bodies);
  const others = createRandom(`${seed} languages`).shuffle(LANG_CODES.filter((lang) => lang !== "en"));

  return (number: number): Run => {
    const random = createRandom(`${seed} ${number}`);
    const other = random.pick(others.slice(0, LANGUAGES));
    const datasets = random.shuffle([...paths.keys()]).slice(0, 1 + random.below(MOST));
    const mutations = datasets.map((dataset) => draw(dataset, paths.get(dataset) ?? [], other, bodies, random));
    return { nights: NIGHTS[number % NIGHTS.length] ?? "first", other, mutations };
  };
}

function draw(dataset: string, paths: readonly string[], other: Lang, bodies: Bodies, random: Random): Mutation {
  const slices = bodies.slices.filter((slice) => slice.dataset === dataset && slice.lang === "en");
  for (let tries = 0; tries < TRIES; tries += 1) {
    const slice = random.pick(slices);
    const change = drawChange(random.pick(paths), random);
    const { text, wrapping } = endpointOf(dataset);
    const foreign = random.pick(slices);
    const others = recordsOf(wrapping, parseJson(bodies.bodyOf(foreign)));
    if (mutateBody(wrapping, parseJson(bodies.bodyOf(slice)), change, others) === undefined) continue;
    const lang = random.pick([undefined, undefined, "en" as const, text === "all" ? other : "en"]);
    const at = random.pick([dataset, toRequest(slice).replace(/[?&]lang=.*/, "")]);
    return { at, ...change, ...(lang && { lang }) };
  }
  throw new Error(`nothing applies to ${dataset}`);
}

const drawChange = (path: string, random: Random): Change => ({
  path,
  kind: random.pick<{ name: string }>(path === ENVELOPE ? ENVELOPE_KINDS : KINDS).name,
  how: path === ENVELOPE ? "all" : random.pick(["one", "all"]),
  draw: random.below(1000),
});
