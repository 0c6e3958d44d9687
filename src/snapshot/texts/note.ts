import { MAX_TEXT_CHARS } from "../../api/body/bounds.ts";
import type { Reference, Slice } from "../../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { findShownTexts, type ListLookup, type ShownText } from "../../api/localise.ts";
import type { ListedText, TextRuleRow } from "../schema/row-types.ts";
import { createTextFinder } from "./find.ts";

/** Makes the note on a record, from its parsed form and its JSON; null if it must be parsed to be localised. */
export type TextNoter = (record: unknown, json: string) => string | null;

/** Notes where records show texts of lists, so that a server can replace them without parsing JSON. */
export interface TextNotes {
  /** Makes the noter of a slice; undefined if its records need no notes. `isOlder`: an earlier run than that of the file has asked for it. */
  noterOf(slice: Slice, isOlder?: boolean): TextNoter | undefined;
  /** The texts that were noted so far; they are numbered in the order in which they were first seen. */
  texts(): readonly ListedText[];
}

export function createNotes(lists: ListLookup): TextNotes {
  const texts: ListedText[] = [];
  const numbers = new Map<string, number>();
  const findTexts = createTextFinder();

  function numberOf({ reference: { list, entries = "", key }, id, source, needed }: ShownText): number {
    const text = { dataset: list, entries, id_path: key, id, path: source, needed: Number(needed) };
    const name = textKey(text);
    const number = numbers.get(name);
    if (number !== undefined) return number;
    numbers.set(name, texts.length);
    return texts.push({ text_id: texts.length, ...text }) - 1;
  }

  /** Start, length and number of each text. */
  function note(rule: readonly Reference[], record: unknown, json: string, isOlder: boolean): string | null {
    const shown = findShownTexts(rule, record, lists, isOlder);
    if (!shown) return null;
    const notes = findTexts(
      json,
      shown.map(({ place }) => place),
    );
    if (!notes) return null;
    const written = JSON.stringify(
      notes.map((part, index) => (index % 3 < 2 ? part : numberOf(shown[part] as ShownText))),
    );
    return written.length > MAX_TEXT_CHARS ? null : written;
  }

  return {
    noterOf({ dataset, lang }, isOlder = false) {
      const { text } = endpointOf(dataset);
      if (typeof text === "string" || lang !== BASE_LANG) return undefined;
      return (record, json) => note(text, record, json, isOlder);
    },
    texts: () => texts,
  };
}

const textKey = ({ dataset, entries, id_path, id, path, needed }: Omit<ListedText, "text_id">) =>
  JSON.stringify([dataset, entries, id_path, id, path, needed]);

/** Returns the rules by which this program notes the texts of endpoints whose records show texts of lists. */
export const textRules = (): TextRuleRow[] =>
  ENDPOINTS.flatMap(({ dataset, text }) => (typeof text === "string" ? [] : [{ dataset, rule: JSON.stringify(text) }]));

/** The datasets that were noted by our rules. By another one, a text that we must write may not be noted. */
export function notedDatasets(rows: readonly TextRuleRow[]): Set<string> {
  const storedRules = new Map(rows.map(({ dataset, rule }) => [dataset, rule]));
  const ours = textRules().filter(({ dataset, rule }) => storedRules.get(dataset) === rule);
  return new Set(ours.map(({ dataset }) => dataset));
}
