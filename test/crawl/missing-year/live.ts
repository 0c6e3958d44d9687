import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isListEndpoint, parseSliceId, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { FULL_SELECTION, type Selection } from "../../../src/api/selection.ts";
import { planSlices } from "../../../src/crawl/plan.ts";
import { capturedSlices } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open.ts";
import { existsLatest } from "../../helpers/data-folder.ts";
import { clockOf, type SampleNights } from "../../helpers/sample-nights.ts";
import { ENDPOINTS, type Event, MODES } from "./kinds.ts";
import { findMissing, findParts, findReason, isInside, isLacking, toAsked, weatherOf } from "./oracle.ts";
import type { Night } from "./plan.ts";
import { findLies, readFile, type Said } from "./truth.ts";

export const WORDS = [
  ...["--languages", "en,ja,km,de", "--ranks", "all,epic,glory", "--days", "1,7"],
  ...["--attempts", "3", "--timeout", "2"],
];

const SELECTION: Selection = {
  ...FULL_SELECTION,
  languages: ["en", "ja", "km", "de"],
  ranks: ["all", "epic", "glory"],
  days: ["1", "7"],
  endpoints: ENDPOINTS.split(","),
};

/** Requests that a run asks of a part that stays closed. */
const MOST_OF_A_PART = 10;
/** Heroes that may come or leave in one night. */
const [MOST_COMING, MOST_LEAVING] = [20, 3];

/** What came of a night, and all that is wrong with it. */
export interface Lived {
  code: number | null;
  /** Why it was lost; undefined if it was published. */
  lost: string | undefined;
  wrong: string[];
  /** Slices of the file that were compared with the upstream. */
  checked: number;
  /** Slices that nobody asked for since their part was closed for the run. */
  skipped: number;
}

/** What outlives a night. */
export interface Memory {
  /** Days, by the time at which their crawls say that they began. */
  days: Map<string, number>;
  /** Slices without records, with their day. */
  empty: Set<string>;
}

export async function live(nights: SampleNights, night: Night, memory: Memory): Promise<Lived> {
  const { sample, data } = nights;
  const { day, mode, events, killedAt, clock, heroes, unresolved } = night;
  const words = MODES[mode];
  const before = existsLatest(data) ? readFile(nights.latest()) : undefined;
  const inHand = mode === "fresh" ? new Set<string>() : readInHand(data);
  sample.set({ day, heroes, unresolved, troubles: events.flatMap(({ troubles }) => troubles) });
  memory.days.set(new Date(Number(clockOf(clock)) * 1000).toISOString(), day);
  if (killedAt !== undefined) await nights.kill(day, killedAt, words, clock);
  const { code, stderr } = await nights.crawl(day, words, clock);

  const planned = planFor(before, heroes);
  const due = planned.filter(({ dataset }) => mode !== "without" || dataset !== "spells");
  const newcomers = new Set(Array.from({ length: unresolved }, (_, n) => heroes - n));
  const weather = weatherOf(events, newcomers);
  for (const slice of due) if (weather.isEmpty(slice)) memory.empty.add(`${day} ${sliceId(slice)}`);
  // What was answered before this night may be kept, or asked once more.
  const missing = findMissing(due, weather, before, inHand);
  const atMost = findMissing(due, weather, before);
  const { reason, isSure: isLikely } = expectNight(night, planned, due, missing, before);
  const isSure = isLikely && reason === expectNight(night, planned, due, atMost, before).reason;

  const isPublished = code === 0 || code === 7;
  const how = `ended with ${code}: ${stderr}`;
  const wrong = [];
  if (!isPublished && (isSure ? reason === undefined : ![3, 4].includes(code ?? -1))) wrong.push(how);
  if (isPublished && isSure && reason !== undefined) wrong.push(`was published in spite of ${reason}`);
  const lost = isPublished ? undefined : (reason ?? (isSure ? how : "an upstream that comes and goes"));
  if (!isPublished) return { code, lost, wrong, checked: 0, skipped: 0 };

  const said = readFile(nights.latest());
  const isWhole = mode !== "reuse" && mode !== "budget";
  // A day may have no room to ask again for what has failed.
  const mayAsk = isSure && mode !== "budget";
  const unneeded = [...said.rows].filter(([id, row]) => isLacking(row) && !atMost.has(id)).map(([id]) => id);
  wrong.push(
    ...findLies(said, before, {
      ...{ sample, day, inHand, isWhole },
      dayOf: (startedAt) => memory.days.get(startedAt),
      wasEmpty: (id, of) => memory.empty.has(`${of} ${id}`),
    }),
    ...judgeClosed(said, before, code, isWhole && !isChance(events) ? planned : undefined),
    ...judgeRequests(nights, night, said, before),
    ...(isWhole ? [...missing].filter((id) => !isLacking(said.rows.get(id))) : []).map(
      (id) => `${id} is not said to be missing`,
    ),
    ...(mayAsk ? unneeded.filter((id) => countAsked(nights, id) > 0 && !isLacking(before?.rows.get(id))) : []).map(
      (id) => `${id} is said to be missing, and is not`,
    ),
  );
  return { code, lost, wrong, checked: said.rows.size, skipped: unneeded.length };
}

/** What an unfinished journal holds that the next night goes on from. Lists are asked again. */
function readInHand(data: string): Set<string> {
  const folder = join(data, "journals");
  const files = existsLatest(data) ? readdirSync(folder).filter((name) => name.endsWith(".journal")) : [];
  return new Set(
    files.flatMap((name) => {
      const journal = openJournal(join(folder, name));
      try {
        if (journal.header().finished_at !== null) return [];
        const kept = capturedSlices(journal).filter(({ slice }) => !isListEndpoint(endpointOf(slice.dataset)));
        return kept.map(({ slice }) => sliceId(slice));
      } finally {
        journal.close();
      }
    }),
  );
}

/** All slices of a night. What the votes are about does not change in a year. */
function planFor(before: Said | undefined, heroes: number): Slice[] {
  const ids = Array.from({ length: heroes }, (_, n) => n + 1);
  const subjects = [...(before?.rows.keys() ?? [])].flatMap((id) => parseSliceId(id).subject ?? []);
  return planSlices(SELECTION, { heroes: ids, subjects: new Map([["rating", [...new Set(subjects)]]]) });
}

/** Why the rule refuses a night, told from what happens in it; and whether that is sure. */
function expectNight(
  { mode, events, heroes }: Night,
  planned: readonly Slice[],
  due: readonly Slice[],
  missing: ReadonlySet<string>,
  before: Said | undefined,
): { reason: string | undefined; isSure: boolean } {
  const maxMissing = mode === "nothing" ? 0 : mode === "anything" ? 100 : 1;
  const hasBudget = mode === "budget";
  const had = before?.heroes ?? heroes;
  const reason = findReason({ planned, wanted: due, missing, before, maxMissing, hasBudget });
  if (reason === "no list of heroes") return { reason, isSure: true };
  if (heroes - had > MOST_COMING) return { reason: "too many heroes", isSure: true };
  if (had - heroes > MOST_LEAVING) return { reason: "too few heroes", isSure: !isChance(events) };
  // A day asks for a part of it, and half of all may be as good as nobody.
  const isPart = mode === "reuse" || hasBudget;
  const isMost = 3 * missing.size > due.length;
  return {
    reason,
    isSure: !isChance(events) && (isPart ? reason === undefined && !isMost : !isMost || maxMissing !== 100),
  };
}

/** What fails with the whole upstream closes nothing, and nobody can tell what that is. */
const isChance = (events: readonly Event[]) => events.some(({ fate }) => fate === "chance" || fate === "dies");

/** Parts, and how loudly they are said to be closed. */
function judgeClosed(
  said: Said,
  before: Said | undefined,
  code: number | null,
  planned: readonly Slice[] | undefined,
): string[] {
  const isNew = (part: string) => !(before?.parts ?? []).some((outer) => isInside(part, outer));
  const isLost = ([id, { status }]: [string, { status: string }]) =>
    status === "failed" && (before?.rows.get(id)?.status ?? "failed") !== "failed";
  const isLoud = said.parts.some(isNew) || [...said.rows].some(isLost);
  const lacking = new Set([...said.rows].flatMap(([id, row]) => (isLacking(row) ? [id] : [])));
  const { parts } = findParts(planned ?? [], lacking, before?.parts ?? []);
  return [
    ...(isLoud === (code === 7) ? [] : [`ended with ${code}, and ${isLoud ? "more" : "nothing more"} is closed`]),
    ...(!planned || parts.toSorted().join() === said.parts.toSorted().join()
      ? []
      : [`has closed ${said.parts.join(", ") || "nothing"}, not ${parts.join(", ") || "nothing"}`]),
  ];
}

/** A day's requests, and those for parts that stay closed. */
function judgeRequests(nights: SampleNights, { mode }: Night, said: Said, before: Said | undefined): string[] {
  const { length: count } = nights.sample.asked({});
  const closed = (before?.parts ?? []).flatMap((part, at) => {
    const ids = [...(before?.rows ?? [])].filter(([, row]) => row.part_id === at + 1).map(([id]) => id);
    const asked = ids.flatMap((id) => listAsked(nights, id));
    const isOpen = asked.some(({ isAnswered }) => isAnswered) || !said.parts.includes(part);
    return isOpen || asked.length <= MOST_OF_A_PART ? [] : [`${part} has cost ${asked.length} requests`];
  });
  return [...closed, ...(mode === "budget" && count > Number(MODES.budget[1]) ? [`asked ${count} times`] : [])];
}

const listAsked = ({ sample }: SampleNights, id: string) => sample.asked(toAsked(parseSliceId(id)));

const countAsked = (nights: SampleNights, id: string): number => listAsked(nights, id).length;
