import { sliceId } from "../../api/endpoint.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { capturedSlices } from "../../journal/journal.ts";
import { firstAttempts, recordFault } from "../ask/capture.ts";
import { askSlices, SHARE_OF_A_DAY } from "../ask/collect.ts";
import type { Run } from "../run.ts";
import type { Doubt, DoubtCheck, InHand, Suspect } from "./check.ts";
import { readMemory } from "./memory.ts";
import { CHECKS } from "./table.ts";

/** A doubt that looks have not settled. */
interface Stayed {
  check: DoubtCheck;
  doubt: Doubt;
}

/** The end of looking: no check has anything to ask. */
interface Settled {
  stayed: Stayed[];
  /** Tables that a day had no room to look into. */
  unlooked: string[];
}

/**
 * Asks again what does not fit together, until no check has anything to ask. What stays is written into the journal, for the file, and
 * returned. No doubt ends a night; with a budget all of them have a tenth of the day.
 */
export async function settleDoubts(run: Run): Promise<Settled> {
  return conclude(run, await look(run, CHECKS));
}

/** Looks again for some checks, without a conclusion. */
export async function look(run: Run, checks: readonly DoubtCheck[]): Promise<Settled> {
  for (;;) {
    const { open, ...settled } = await findDoubts(run, checks);
    if (open.length === 0) return settled;
    await askAgain(run, open);
    await recordHealed(run, open);
  }
}

/** A suspect that is to be asked again now. */
interface Open {
  check: DoubtCheck;
  doubt: Doubt;
  suspect: Suspect;
}

/** Asks the checks in their order, up to the first that has open suspects. */
async function findDoubts(run: Run, checks: readonly DoubtCheck[]): Promise<Settled & { open: Open[] }> {
  const inHand = readInHand(run);
  const room = roomOf(run, inHand);
  const stayed: Stayed[] = [];
  const unlooked: string[] = [];
  for (const check of checks) {
    await yieldOrAbort(run.stop);
    const doubts = await check.find(inHand);
    const open = doubts.flatMap((doubt) =>
      inHand.memory.openIn(check, doubt).map((suspect) => ({ check, doubt, suspect })),
    );
    if (open.length > 0 && room > 0) return { open: open.slice(0, room), stayed, unlooked };
    if (check.isOfTables) unlooked.push(...open.map(({ doubt }) => doubt.name));
    if (check.ifItStays !== "believe") stayed.push(...doubts.map((doubt) => ({ check, doubt })));
  }
  return { open: [], stayed, unlooked };
}

const readInHand = (run: Run): InHand => ({
  run,
  answered: capturedSlices(run.journal),
  memory: readMemory(run.journal, run.options.base),
});

/** The number of suspects that the budget still has room for. */
function roomOf({ budget }: Run, { memory }: InHand): number {
  if (!budget) return Number.POSITIVE_INFINITY;
  const share = Math.ceil(budget.limit * SHARE_OF_A_DAY) - memory.requests;
  // An answer that is asked again may need the one that it is compared with.
  return Math.max(0, Math.min(share, Math.floor(budget.left() / 2)));
}

async function askAgain(run: Run, open: readonly Open[]) {
  const { journal, log } = run;
  for (const [{ why }, suspects] of Map.groupBy(open, ({ doubt }) => doubt))
    log("asking-again", { check: suspects[0]?.check.name, what: why, slices: suspects.length });
  const beside = open.flatMap(({ suspect }) => suspect.beside ?? []);
  const toNote = Map.groupBy(open, ({ suspect }) => suspect.stored.id);
  const note = (id: number, isAnswered: boolean) => {
    const looks = toNote.get(id) ?? [];
    toNote.delete(id);
    journal.noteLooks(
      looks.map(({ check, doubt, suspect: { seen } }) => ({ check: check.name, doubt: doubt.name, id, seen })),
    );
    if (!isAnswered && looks.some(({ check }) => check.mustComeTwice)) journal.forget([id]);
  };
  const again = new Set([...toNote.keys(), ...beside]);
  for (const purpose of ["proof", "answer"] as const) {
    const slices = journal.slices(purpose).filter(({ id }) => again.has(id));
    await askSlices(
      run,
      // The answer in hand is no beginning of the next one.
      slices.map((stored) => ({ ...stored, pages: 0 })),
      { purpose, attempts: firstAttempts(run), isOnNewConnection: true, asked: note },
    );
  }
  // In a closed part, or at the end of a day's budget, a suspect is not asked, and no look at it would ever come.
  for (const id of [...toNote.keys()]) note(id, false);
}

/** Notes a fault for each suspect that is not doubted any more, if its check names one. */
async function recordHealed(run: Run, open: readonly Open[]) {
  const [{ check } = {}] = open;
  if (!check?.fault) return;
  const inHand = readInHand(run);
  const doubted = new Set(
    (await check.find(inHand)).flatMap(({ suspects }) => suspects.map(({ stored }) => stored.id)),
  );
  const answered = new Set(inHand.answered.map(({ id }) => id));
  const healed = open.filter(({ suspect: { stored } }) => answered.has(stored.id) && !doubted.has(stored.id));
  const reply = { host: run.hosts.active().host, at: Date.now() };
  for (const { suspect } of healed)
    recordFault(run, suspect.stored, 1, reply, { reason: check.fault, detail: suspect.seen });
}

function conclude({ journal, log }: Run, settled: Settled): Settled {
  const { stayed } = settled;
  const told = new Set(journal.getState("doubts")?.map(({ check, why }) => `${check} ${why}`));
  for (const { check, doubt } of stayed)
    if (!told.has(`${check.name} ${doubt.why}`))
      log("doubt", { check: check.name, what: doubt.why, slices: doubt.suspects.length });
  journal.setState("doubts", toRows(stayed));
  return settled;
}

/** Drops the answers that are rejected. Returns the names of the tables that stay as the base has them if not all is due. */
export function takeBack({ journal }: Run, { stayed, unlooked }: Settled): string[] {
  const doubtsThat = (fate: DoubtCheck["ifItStays"]) => stayed.filter(({ check }) => check.ifItStays === fate);
  const ids = doubtsThat("missing").flatMap(({ doubt }) => doubt.suspects.map(({ stored }) => stored.id));
  journal.requeue(ids);
  for (const id of ids) journal.markFailed(id, "older");
  // The upstream has answered, so that these may count for a closed part.
  journal.vouch(ids);
  return [...unlooked, ...doubtsThat("carry").map(({ doubt }) => doubt.name)];
}

/** One row for each check and slice: a rank list may differ from several tables, and the first doubt counts. */
function toRows(stayed: readonly Stayed[]) {
  const rows = stayed.flatMap(({ check, doubt }) =>
    doubt.suspects
      .filter(({ stored }) => stored.purpose === "answer")
      .map(({ stored, seen }) => ({ check: check.name, slice: sliceId(stored.slice), seen, why: doubt.why })),
  );
  return [...Map.groupBy(rows, ({ check, slice }) => `${check} ${slice}`).values()].flatMap(([first]) => first ?? []);
}
