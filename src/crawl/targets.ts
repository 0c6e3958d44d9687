import { readWords } from "../api/body/record-fields.ts";
import type { Slice } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { nameKey, parseIdentifier } from "../api/request/identifier.ts";
import type { WordParameter } from "../api/request/path-parameter.ts";
import type { Selection } from "../api/selection.ts";
import { captureSlice } from "./capture.ts";
import { selectEndpoints, type Targets } from "./plan.ts";
import type { Roster } from "./roster.ts";
import type { Run } from "./run.ts";
import { refuseSubjects } from "./validate/growth.ts";

/**
 * Everything that the paths of a selection name. A journal that holds a list of subjects is not asked again; one that
 * cannot be captured names nothing, and is missing at the end.
 */
export async function findTargets(run: Run, roster: Roster): Promise<Targets> {
  const { selection } = run.options;
  const heroes = selectHeroes(selection, roster);
  const subjects = new Map<string, string[]>();
  for (const { dataset, identifier } of selectEndpoints(selection))
    if (identifier?.kind === "word") subjects.set(dataset, await captureSubjects(run, identifier));
  return { heroes, subjects };
}

/** The ids that `--heroes` names, or the whole roster. */
function selectHeroes(selection: Selection, { heroes }: Roster): number[] {
  if (!selection.heroes) return heroes.map((hero) => hero.id);
  const ids = selection.heroes.map((word) => {
    const wanted = parseIdentifier(word);
    const hero = heroes.find(({ id, name }) => ("id" in wanted ? wanted.id === id : wanted.key === nameKey(name)));
    if (hero) return hero.id;
    throw new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}

async function captureSubjects(run: Run, parameter: WordParameter): Promise<string[]> {
  const { journal, options } = run;
  const { list } = parameter;
  const slice: Slice = { dataset: list, lang: BASE_LANG };
  journal.addSlices([slice], "answer");
  const stored = journal.slices().find((one) => one.slice.dataset === list && one.slice.lang === BASE_LANG);
  if (!stored) throw new Error(`the journal has lost ${list}`);
  const captured = stored.state === "captured" || (await captureSlice(stored, run));
  const records = captured ? journal.records(stored) : [];
  const subjects = [...new Set(records.flatMap((record) => readWords(parameter, record)))];
  const refusal = refuseSubjects(list, subjects.length, options);
  if (!refusal) return subjects;
  journal.requeue([stored.id]);
  throw refusal;
}
