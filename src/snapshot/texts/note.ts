import type { Reference, Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { findShownTexts, type ListLookup, type ShownText } from "../../api/localise.ts";
import type { ListedText } from "../schema/row-types.ts";
import { createTextFinder } from "./find.ts";

/** Makes the note on a record from what it is read as, and from its text in the archive. */
export type TextNoter = (record: unknown, json: string) => string | null;

/**
 * Notes where the texts of lists stand in records in the base language, so that a server can put those of another one there
 * without reading JSON. Texts have numbers in the order in which they are first seen.
 */
export function createNotes(lists: ListLookup) {
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

  /** Start, length and number of each text; nothing for a record that must be read to be localised. */
  function note(rule: readonly Reference[], record: unknown, json: string): string | null {
    const shown = findShownTexts(rule, record, lists);
    if (!shown) return null;
    const notes = findTexts(
      json,
      shown.map(({ place }) => place),
    );
    return notes
      ? JSON.stringify(notes.map((part, at) => (at % 3 < 2 ? part : numberOf(shown[part] as ShownText))))
      : null;
  }

  return {
    /** Nothing for slices whose records need no notes. */
    noterOf({ dataset, lang }: Slice): TextNoter | undefined {
      const { text } = endpointOf(dataset);
      if (typeof text === "string" || lang !== BASE_LANG) return undefined;
      return (record, json) => note(text, record, json);
    },
    texts: (): readonly ListedText[] => texts,
  };
}

const textKey = ({ dataset, entries, id_path, id, path, needed }: Omit<ListedText, "text_id">) =>
  JSON.stringify([dataset, entries, id_path, id, path, needed]);
