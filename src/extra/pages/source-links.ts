import { type Slice, sliceKey } from "../../api/endpoint.ts";
import { endpointOf, type KnownEndpoint } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { jsonLinks } from "./format.ts";
import type { Html } from "./html.ts";
import type { PageContext } from "./page.ts";

/** An answer of the API that a page shows. */
interface Source {
  dataset: KnownEndpoint["dataset"];
  text: string;
  hero?: number;
  /** The window, if it is not that of the page. */
  days?: string;
  /** The parameters that select no data. */
  query?: Readonly<Record<string, string>>;
}

/** Links to answers of the API in the state of the page, without those that the snapshot lacks. */
export function sourceLinks(context: PageContext, sources: readonly Source[]): Html {
  const { snapshot, values, lang, messages } = context;
  const links = sources.flatMap(({ dataset, text, hero, days = values.days, query }) => {
    const { parameters, path } = endpointOf(dataset);
    const state: Record<string, string | undefined> = { ...values, days, lang };
    const selected = parameters.flatMap((parameter) => {
      const dimension = parameter.kind === "choice" ? parameter.selects : undefined;
      const value = dimension && state[dimension];
      return value ? [{ name: parameter.name, dimension, value }] : [];
    });
    const chosen = Object.fromEntries(selected.map(({ dimension, value }) => [dimension, value]));
    if (!isHeld(snapshot, { dataset, lang, ...(hero !== undefined && { hero }), ...chosen })) return [];
    const asked = { ...query, ...Object.fromEntries(selected.map(({ name, value }) => [name, value])) };
    return { path: `${path.replace(/\{\w+\}/, String(hero))}?${new URLSearchParams(asked)}`, text };
  });
  return jsonLinks(messages.frame.asJson, links);
}

/** Tells whether the snapshot has a slice, or the one of the base language and the lists that translate it. */
function isHeld({ held, heldList }: Snapshot, slice: Slice): boolean {
  const { text } = endpointOf(slice.dataset);
  const isTranslatable = text === "none" || (text !== "all" && text.every(({ list }) => heldList(list, slice.lang)));
  const has = (lang: Lang) => held(slice.dataset, sliceKey({ ...slice, lang })) !== undefined;
  return has(slice.lang) || (isTranslatable && has(BASE_LANG));
}
