import { readPath } from "../../../api/body/path.ts";
import { type Endpoint, isPaged, parseSlice } from "../../../api/endpoint.ts";
import { BASE_LANG } from "../../../api/enumerations.ts";
import { isRequired, type Parameter } from "../../../api/request/parameters.ts";
import type { PageContext } from "../page.ts";

/** A request that this mirror has an answer to. */
export interface Example {
  /** The value in the path, if the path names something. */
  target: string;
  /** The path with it. */
  path: string;
  query: URLSearchParams;
  /** One of the records that are answered, as it was sent and over several lines; undefined if the snapshot has none. */
  record: string | undefined;
}

const SLICE = `
  SELECT slice_id, slice FROM coverage WHERE dataset = @dataset AND status = 'captured' AND records > 0
  ORDER BY lang = @lang DESC, lang = '${BASE_LANG}' DESC, ifnull(rank, 'all') = 'all' DESC, days, hero_id, slice LIMIT 1`;

const RECORD = `
  SELECT iif(json_valid(json), json_pretty(json, '  '), json) AS json FROM record
  WHERE slice_id = @slice_id ORDER BY position LIMIT 1`;

const SHOWN_SIZE = "1";

export function exampleOf(endpoint: Endpoint, context: PageContext): Example {
  const { snapshot, lang, facts } = context;
  const { compute, parameters, path, range } = endpoint;
  const dataset = endpoint.from ?? endpoint.dataset;
  const [stored] = compute ? [] : snapshot.select<{ slice_id: number; slice: string }>(SLICE, { dataset, lang });
  const slice = parseSlice(dataset, stored?.slice ?? "");
  const [held] = stored ? snapshot.select<{ json: string }>(RECORD, { slice_id: stored.slice_id }) : [];
  const first = range && held ? readPath(JSON.parse(held.json), range.first) : undefined;
  const target = String(slice.subject ?? slice.hero ?? first ?? (facts.firstHero || 1));
  const selected: Readonly<Record<string, string | undefined>> = { ...slice, hero: undefined };
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const value = valueIn(parameter, selected);
    if (value !== undefined) query.set(parameter.name, value);
  }
  if (isPaged(endpoint)) query.set("size", SHOWN_SIZE);
  const values = Object.fromEntries([...query].map(([name, value]) => [name, Number(value)]));
  const record = compute ? JSON.stringify(JSON.parse(compute(values)), null, 2) : held?.json;
  return { target, path: path.replace(/\{\w+\}/, () => escapeTarget(target)), query, record };
}

/** Returns the example value of a parameter; undefined for the default of an optional one. */
function valueIn(parameter: Parameter, selected: Readonly<Record<string, string | undefined>>): string | undefined {
  if ("examples" in parameter && isRequired(parameter)) return parameter.examples?.[0];
  if (parameter.kind !== "choice") return undefined;
  const value = parameter.selects && selected[parameter.selects];
  if (isRequired(parameter)) return value ?? parameter.values[0];
  return value !== undefined && value !== parameter.default ? value : undefined;
}

/** A quote would end the word in a shell. */
const escapeTarget = (target: string) => encodeURIComponent(target).replaceAll("'", "%27");

/** The address of a request, as one line. */
export const addressOfExample = ({ path, query }: Example): string => (query.size > 0 ? `${path}?${query}` : path);
