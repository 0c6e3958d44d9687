import { readWords } from "../api/body/record-fields.ts";
import type { Slice } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { isExcused } from "../api/refusals.ts";
import { resolveHeroes } from "../api/request/identifier.ts";
import type { WordParameter } from "../api/request/path-parameter.ts";
import type { Selection } from "../api/selection.ts";
import { captureSlice } from "./capture.ts";
import { selectEndpoints, type Targets } from "./plan.ts";
import { recordsIn } from "./refresh/base.ts";
import type { Roster } from "./roster.ts";
import type { Run } from "./run.ts";
import { refuseSubjects } from "./validate/growth.ts";

/**
 * Everything that the paths of a selection name. A journal that holds a list of subjects is not asked again; one that cannot be
 * captured names what the snapshot in hand has.
 */
export async function findTargets(run: Run, roster: Roster): Promise<Targets> {
  const { selection } = run.options;
  const heroes = selectHeroes(selection, roster);
  const subjects = new Map<string, string[] | undefined>();
  for (const { dataset, identifier } of selectEndpoints(selection))
    if (identifier?.kind === "word") subjects.set(dataset, await captureSubjects(run, identifier));
  return { heroes, subjects };
}

/** The ids that `--heroes` names, or the whole roster. */
export function selectHeroes(selection: Selection, { heroes }: Roster): number[] {
  if (!selection.heroes) return heroes.map((hero) => hero.id);
  const refuse = (word: string) =>
    new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  return resolveHeroes(selection.heroes, heroes, refuse);
}

/** Undefined if the list is in nobody's hand. */
async function captureSubjects(run: Run, parameter: WordParameter): Promise<string[] | undefined> {
  const { journal, options, refusals } = run;
  const { list } = parameter;
  const slice: Slice = { dataset: list, lang: BASE_LANG };
  journal.addSlices([slice], "answer");
  const stored = journal.slices().find((planned) => planned.slice.dataset === list && planned.slice.lang === BASE_LANG);
  if (!stored) throw new Error(`the journal has lost ${list}`);
  const mayAsk = !isExcused(stored.reason) && !refusals.isLeftOut(list) && !refusals.isWaiting(stored);
  const captured = stored.state === "captured" || (mayAsk && (await captureSlice(stored, run)));
  const records = captured ? journal.records(stored) : await carriedRecords(run, slice);
  if (!records) return undefined;
  const subjects = [...new Set(records.flatMap((record) => readWords(parameter, record)))];
  const refusal = captured ? refuseSubjects(list, subjects.length, options) : undefined;
  if (!refusal) return subjects;
  journal.requeue([stored.id]);
  throw refusal;
}

/** A list that the upstream refuses, or that is left out, as the snapshot in hand has it. */
async function carriedRecords(run: Run, slice: Slice): Promise<unknown[] | undefined> {
  return recordsIn(await run.base(), slice);
}
