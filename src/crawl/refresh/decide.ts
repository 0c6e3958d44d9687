import type { Slice } from "../../api/endpoint.ts";
import { capturedById, capturedSlices } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/slice-group.ts";
import { wasEmpty } from "./base.ts";
import { type Decision, NIGHT_STEPS, type Night, type NightStep, type Note, type StepOutcome } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";
import { planTurns, reserveOf } from "./plan.ts";
import { settle } from "./settle.ts";
import { decideAudits, decideLists, decideOriginals, decideTranslations } from "./texts.ts";
import { chooseTurns, type Turn } from "./turns.ts";

type DecideStep = (night: Night, last: StepOutcome) => StepOutcome | Promise<StepOutcome>;

const DECIDE: Record<NightStep, DecideStep> = {
  lists: decideLists,
  audits: decideAudits,
  originals: decideOriginals,
  translations: decideTranslations,
  numbers: decideNumbers,
  filled: decideFilled,
  end: settle,
};

/**
 * Decides the step that follows the last decision, or the first one. It asks for nothing and changes nothing, so that a night is the list
 * of its decisions. All that a decision asks for must have been asked before the next step is decided.
 */
export async function decide(night: Night, last?: Decision): Promise<Decision> {
  const step = NIGHT_STEPS[last ? NIGHT_STEPS.indexOf(last.step) + 1 : 0];
  if (!step) throw new Error("nothing follows the end of a night");
  const outcome = await DECIDE[step](night, last ?? { ask: [], suspect: new Set() });
  return { notes: [], keep: [], giveBack: [], ...outcome, step };
}

/** Decides on slice groups that an earlier run has begun, and on those that are most overdue. */
function decideNumbers(night: Night, translations: StepOutcome): StepOutcome {
  const { journal, budget, startedAt, texts, wanted } = night;
  const captured = capturedById(journal);
  const suspect = new Set([...translations.suspect].filter((id) => !captured.has(id)));
  const notes: Note[] = [["texts", { asked: captured.size - texts.before, suspect: suspect.size }]];
  const turns = planTurns(night, journal.header().began_at, wanted, suspect);
  const tooSmall = findTooSmall(night, turns);
  if (tooSmall) return { ask: [], suspect, notes, tooSmall };
  const begun = new Set(journal.slices().map(sliceGroup));
  const open = turns.filter(({ group }) => !begun.has(group));
  const pending = journal.slices().filter(({ state }) => state !== "captured").length;
  const chosen = budget
    ? chooseTurns(open, budget.left - reserveOf(budget.limit) - pending, startedAt.getTime())
    : open;
  const asked = [...turns.filter(({ group }) => begun.has(group)), ...chosen];
  const requests = chosen.reduce((sum, { slices }) => sum + slices.length, 0);
  notes.push(["turns", { tables: chosen.length, of: turns.length, requests }]);
  return { ask: asked.flatMap(({ slices }) => slices), suspect, notes };
}

/** Tells why the budget is too small: a group that never fits would never be asked. */
function findTooSmall({ budget, journal }: Night, turns: readonly Turn[]): Decision["tooSmall"] {
  const lists = journal.slices().filter(({ slice }) => refreshKindOf(slice) === "list").length;
  const largest = Math.max(0, ...turns.map(({ slices }) => slices.length));
  // Texts may take as much as the numbers.
  const needed = Math.ceil((lists + 2 * largest) * 1.1) + reserveOf(0);
  return !budget || budget.limit >= needed ? undefined : { lists, largest, needed };
}

/**
 * Decides on slices beside one that was empty and no longer is, as they may be filled too: the rest of its group is asked for, or without a
 * budget of all groups of its endpoint.
 */
function decideFilled({ base, journal, budget, policy, wanted }: Night, { suspect }: StepOutcome): StepOutcome {
  const filled = capturedSlices(journal)
    .filter(({ slice }) => refreshKindOf(slice) === "turn" && wasEmpty(base, slice))
    .filter((stored) => journal.records(stored).length > 0);
  const datasets = new Set(filled.map(({ slice }) => slice.dataset));
  const groups = new Set(filled.map(sliceGroup));
  const isLike = (slice: Slice) =>
    policy === "reuse" ? datasets.has(slice.dataset) : groups.has(sliceGroup({ slice }));
  const rest = wanted.filter((slice) => wasEmpty(base, slice) && isLike(slice));
  return {
    ask: budget ? rest.slice(0, Math.max(0, budget.left - reserveOf(budget.limit) / 2)) : rest,
    suspect,
    notes: filled.length > 0 ? [["filled", { slices: filled.length, asked: rest.length }]] : [],
  };
}
