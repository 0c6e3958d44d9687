import { readWords } from "../api/body/record-fields.ts";
import type { Slice } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { resolveHeroes } from "../api/request/identifier.ts";
import type { WordParameter } from "../api/request/path-parameter.ts";
import { type Selection, selectEndpoints } from "../api/selection.ts";
import { capturedSlices } from "../journal/journal.ts";
import { captureSlice } from "./ask/capture.ts";
import { BudgetSpent } from "./budget.ts";
import type { Targets } from "./plan.ts";
import { isClosedIn } from "./purposes.ts";
import { recordsIn } from "./refresh/base.ts";
import type { Roster } from "./roster.ts";
import type { Run } from "./run.ts";

/**
 * Finds everything that the paths of a selection name. A list of subjects that the journal holds is not asked for again; one that cannot be
 * had names what the base has.
 */
export async function findTargets(run: Run, { heroes }: Pick<Roster, "heroes">): Promise<Targets> {
  const { selection } = run.options;
  const subjects = new Map<string, string[] | undefined>();
  for (const { dataset, identifier } of selectEndpoints(selection))
    if (identifier?.kind === "word") subjects.set(dataset, await captureSubjects(run, dataset, identifier));
  return { roster: heroes.map(({ id }) => id), heroes: selectHeroes(selection, heroes), subjects };
}

/** The ids that `--heroes` names, or the whole roster. */
export function selectHeroes(selection: Selection, heroes: Roster["heroes"]): number[] {
  if (!selection.heroes) return heroes.map((hero) => hero.id);
  const refuse = (word: string) =>
    new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  return resolveHeroes(selection.heroes, heroes, refuse);
}

/** Captures the subjects; undefined if nobody has the list. */
async function captureSubjects(run: Run, dataset: string, parameter: WordParameter): Promise<string[] | undefined> {
  const { list } = parameter;
  const slice: Slice = { dataset: list, lang: BASE_LANG };
  const records = (await captureNames(run, slice)) ?? recordsIn(run.options.base, slice);
  if (!records) return run.options.without.has(dataset) ? [] : undefined;
  return [...new Set(records.flatMap((record) => readWords(parameter, record)))];
}

/** The records of a list that names others; undefined if it cannot be had. In a part that the base has closed it is a probe. */
async function captureNames(run: Run, slice: Slice): Promise<unknown[] | undefined> {
  const { journal, options, tally } = run;
  const find = () =>
    capturedSlices(journal).find((one) => one.slice.dataset === slice.dataset && one.slice.lang === slice.lang);
  const before = find();
  if (before) return journal.records(before);
  if (options.without.has(slice.dataset)) return undefined;
  journal.addSlices([slice], "answer");
  const stored = journal.slices().find((one) => one.slice.dataset === slice.dataset && one.slice.lang === slice.lang);
  if (!stored) throw new Error(`the journal has lost ${slice.dataset}`);
  const isProbe = isClosedIn(options.base, slice, run.opened);
  const attempts = isProbe ? 1 : options.attempts;
  if (tally.triesOf(stored.id) >= attempts) return undefined;
  try {
    return (await captureSlice(stored, run, { attempts, isProbe })) ? journal.records(stored) : undefined;
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}
