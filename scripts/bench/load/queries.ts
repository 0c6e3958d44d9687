import SQLite from "better-sqlite3";
import { type Endpoint, isHeroEndpoint, isPaged, parameterFor } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { SIZE } from "../../../src/api/request/parameters.ts";
import { createRandomSource } from "../../../src/extra/parity/random-query.ts";
import { latestFile } from "../../../src/snapshot/published/pointer.ts";
import type { Coverage } from "../../../src/snapshot/schema/row-types.ts";

export type Queries = ReturnType<typeof openQueries>;

const PAGE = "default" in SIZE ? Number(SIZE.default) : 20;

/** Draws from all data of the latest snapshot; the same snapshot gives the same queries each time. */
export function openQueries(data: string) {
  const db = new SQLite(latestFile(data), { readonly: true });
  const slices = db.prepare<[], Coverage>("SELECT * FROM coverage WHERE status <> 'failed'").all();
  db.close();
  const random = createRandomSource(1);
  const langs = [...new Set(slices.map(({ lang }) => lang))];
  const inAnyLanguage = (slice: Coverage, more?: string[]) => toPath({ ...slice, lang: random.pick(langs) }, more);
  // An empty page is cheaper than most that clients ask for.
  const full = withoutLanguage(slices.filter(({ records }) => records > 0));
  const ofHeroes = full.filter(({ dataset }) => isHeroEndpoint(endpointOf(dataset)));
  const lists = full.filter(({ dataset, records }) => {
    const endpoint = endpointOf(dataset);
    return endpoint.ordering && isPaged(endpoint) && records >= PAGE;
  });

  return {
    /** Single heroes: any endpoint, rank, window, lane and language. */
    heroes: (count: number) => draw(count, () => inAnyLanguage(random.pick(ofHeroes))),
    /** Full pages of lists: any rank, window, order and language. */
    lists: (count: number) =>
      draw(count, () => {
        const slice = random.pick(lists);
        const orders = ordersOf(endpointOf(slice.dataset)).map(({ name, values }) => `${name}=${random.pick(values)}`);
        const page = 1 + random.below(Math.floor(slice.records / PAGE));
        return inAnyLanguage(slice, [...orders, `index=${page}`]);
      }),
    /** Every slice once; in any language where the snapshot holds one for all. */
    everySlice: () =>
      slices.map((slice) => (endpointOf(slice.dataset).text === "all" ? toPath(slice) : inAnyLanguage(slice))),
  };
}

function draw(count: number, query: () => string): string[] {
  const drawn = new Set<string>();
  for (let turn = 0; drawn.size < count; turn += 1) {
    if (turn > 100 * count)
      throw new Error(`the snapshot does not have ${count} such queries, but about ${drawn.size}`);
    drawn.add(query());
  }
  return [...drawn];
}

/** Returns slices without their languages: one that is held in each language counts once, like one that is held for all. */
function withoutLanguage(slices: readonly Coverage[]): Coverage[] {
  return [...new Map(slices.map((slice) => [toPath({ ...slice, lang: "" }), slice])).values()];
}

const ordersOf = ({ parameters }: Endpoint) =>
  parameters.flatMap((parameter) => (parameter.kind === "choice" && !parameter.selects ? [parameter] : []));

function toPath({ dataset, hero_id, subject, lane, rank, days, lang }: Coverage, more: string[] = []): string {
  const endpoint = endpointOf(dataset);
  const selecting = { lane, rank, days, lang };
  const query = Object.entries(selecting).flatMap(([dimension, value]) => {
    const name = parameterFor(endpoint, dimension as keyof typeof selecting)?.name;
    return name && value !== null ? [`${name}=${value}`] : [];
  });
  return `${endpoint.path.replace(/\{\w+\}/, String(hero_id ?? subject))}?${[...query, ...more].join("&")}`;
}
