import { LANE_CODES, LANG_CODES, RANK_CODES, ROLE_CODES } from "../../../src/api/enumerations.ts";
import { type Choice, ROUTES } from "./routes.ts";

/** Words of parameters that the document has more or less than the service takes: `{ rank: { less: ["epic"] } }`. */
export type Announced = Partial<Record<Choice["as"] | "role", { more?: readonly string[]; less?: readonly string[] }>>;

function wordsOf(as: keyof Announced, values: readonly string[], announced: Announced): string[] {
  const { more = [], less = [] } = announced[as] ?? {};
  return [...values.filter((value) => !less.includes(value)), ...more];
}

/** As the public upstream has it. */
export const ROBOTS = "User-agent: *\nDisallow: /api/\n";

export const indexOf = (url: string) => ({
  code: 0,
  message: "OK",
  meta: { base_url: `${url}/api`, support: { status: "available" } },
});

/** Languages and ranks are types of their own, which parameters refer to. */
const TYPES = [
  { as: "lang", type: "LanguageEnum", values: LANG_CODES },
  { as: "rank", type: "RankEnum", values: RANK_CODES },
] as const;

function describeChoice({ name, as, values, fallback }: Choice, announced: Announced) {
  const { type } = TYPES.find((one) => one.as === as) ?? {};
  const words = { type: "string", enum: wordsOf(as, values, announced) };
  const schema = {
    ...(type ? { $ref: `#/components/schemas/${type}` } : words),
    ...(fallback && { default: fallback }),
  };
  return { name, in: "query", required: fallback === undefined, schema };
}

const describeFilter = (name: "role" | "lane", values: readonly string[]) => ({
  name,
  in: "query",
  required: false,
  schema: { type: "array", items: { type: "string", enum: values }, default: values },
});

/** The OpenAPI document, in which these datasets are marked as deprecated. */
export function describeService(deprecated: readonly string[], announced: Announced) {
  const paths = ROUTES.map(({ dataset, path, choices, paged }) => {
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    const filters = ["positions", "academy-heroes"].includes(dataset)
      ? [
          describeFilter("role", wordsOf("role", ROLE_CODES, announced)),
          describeFilter("lane", wordsOf("lane", LANE_CODES, announced)),
        ]
      : [];
    const paging = paged ? ["size", "index"] : [];
    const parameters = [
      ...(name ? [{ name, in: "path", required: true, schema: { type: "string" } }] : []),
      ...choices.map((choice) => describeChoice(choice, announced)),
      ...filters,
      ...paging.map((name) => ({ name, in: "query", required: false, schema: { type: "integer", minimum: 1 } })),
    ];
    const get = { summary: dataset, parameters, responses: { 200: { description: "OK" } } };
    return [path, { get: deprecated.includes(dataset) ? { ...get, deprecated: true } : get }];
  });
  const types = TYPES.map(({ as, type, values }) => [type, { type: "string", enum: wordsOf(as, values, announced) }]);
  // What a mirror does not ask may be deprecated too.
  const address = { get: { summary: "Address", deprecated: true, responses: { 200: { description: "OK" } } } };
  return {
    openapi: "3.1.0",
    info: { title: "Game data", version: "1.2.1" },
    paths: { ...Object.fromEntries(paths), "/api/addon/ip": address },
    components: { schemas: Object.fromEntries(types) },
  };
}
