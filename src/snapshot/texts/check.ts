import type SQLite from "better-sqlite3";
import { sliceKey } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createLists } from "../../api/localise.ts";
import type { Coverage, ListedText, TextRuleRow } from "../tables.ts";
import { createNotes } from "./note.ts";
import { notedDatasets } from "./rules.ts";

/**
 * Makes the notes again that this program would go by. Gives their number and the first slice with another one; nothing for a
 * file without notes.
 */
export function checkNotes(db: SQLite.Database, coverage: readonly Coverage[]) {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'listed_text'").get()) return undefined;
  const texts = db.prepare<[], ListedText>("SELECT * FROM listed_text ORDER BY text_id").all();
  const datasets = notedDatasets(db.prepare<[], TextRuleRow>("SELECT * FROM text_rule").all());
  const select = db.prepare<[string, string], { json: string; texts: string | null }>(
    "SELECT json, texts FROM record WHERE dataset = ? AND slice = ? ORDER BY position",
  );
  const readList = (dataset: string, lang: Lang) =>
    select.all(dataset, sliceKey({ dataset, lang })).map(({ json }): unknown => JSON.parse(json));
  const notes = createNotes(createLists(readList), texts);
  let noted = 0;
  for (const { dataset, slice, lang } of coverage) {
    const note = datasets.has(dataset) ? notes.noterOf({ dataset, lang: lang as Lang }) : undefined;
    if (!note) continue;
    for (const record of select.all(dataset, slice)) {
      if (note(JSON.parse(record.json), record.json) !== record.texts) return { noted, wrong: `${dataset} ${slice}` };
      if (record.texts !== null) noted += 1;
    }
  }
  // A text that no row has got a number of its own, which may be that of another row.
  const missing = notes.texts()[texts.length];
  const ids = new Set(texts.map(({ text_id }) => text_id));
  if (missing || ids.size < texts.length) return { noted, wrong: "listed_text" };
  return { noted };
}
