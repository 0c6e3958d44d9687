import { readWords } from "../api/body/read-record.ts";
import type { Endpoint, Slice } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import type { WordParameter } from "../api/request/path-parameter.ts";
import { captureSlice } from "./capture.ts";
import { heldRecords } from "./consistency/stored-records.ts";
import type { Run } from "./run.ts";
import { refuseWords } from "./validate/growth.ts";

/**
 * By dataset, the words that paths name, from the lists that say so. A journal that holds a list is not asked again; one
 * that cannot be captured names nothing, and is missing at the end.
 */
export async function captureWords(run: Run, endpoints: readonly Endpoint[]) {
  const words = new Map<string, string[]>();
  for (const { dataset, identifier } of endpoints)
    if (identifier?.kind === "word") words.set(dataset, await captureList(run, identifier));
  return words;
}

async function captureList(run: Run, parameter: WordParameter): Promise<string[]> {
  const { list } = parameter;
  const slice: Slice = { dataset: list, lang: BASE_LANG };
  run.journal.expect([slice], "answer");
  const stored = run.journal.slices().find((one) => one.slice.dataset === list && one.slice.lang === BASE_LANG);
  if (!stored) throw new Error(`the journal has lost ${list}`);
  const captured = stored.state === "captured" || (await captureSlice(stored, run));
  const records = captured ? heldRecords(run.journal, stored) : [];
  const words = [...new Set(records.flatMap((record) => readWords(parameter, record)))];
  const refusal = refuseWords(list, words.length, run.options);
  if (!refusal) return words;
  run.journal.reset([stored.id]);
  throw refusal;
}
