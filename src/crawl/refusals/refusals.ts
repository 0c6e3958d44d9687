import { type Slice, sliceId } from "../../api/endpoint.ts";
import { isInPart, isRefused } from "../../api/refusals.ts";
import { type Journal, plannedIds, type RefusedAttempt, type StoredSlice } from "../../journal/journal.ts";
import { createEvidence, type Evidence, type RefusedSlice } from "./evidence.ts";
import { drawProbes, type InHand, isUnnamed, type KnownGroup } from "./known.ts";

/** What becomes of a slice after an attempt that failed. */
type Next =
  /** It is asked again at once. */
  | "again"
  /** It is asked again in the closing round. */
  | "later"
  /** It has failed as by any other fault. */
  | "failure";

export interface RefusalOptions {
  inHand?: InHand | undefined;
  /** Attempts for one slice. */
  attempts: number;
  /** Milliseconds between the first refusal of a slice and the closing round that asks it again. */
  confirmAfterMs?: number;
  /** Datasets that are not asked. */
  without?: ReadonlySet<string>;
  /** Whether what was refused is asked again, although it was settled. */
  retryFailed?: boolean;
}

export const DEFAULT_CONFIRM_AFTER_MS = 600_000;

/** What the upstream refuses in this crawl, and what therefore is not asked. */
export interface Refusals {
  evidence: Evidence;
  /** The slices that a whole file has, as they were told last. */
  readonly expected: readonly Slice[];
  /** Endpoints that are taken for withdrawn although they refuse nothing, with the reason. */
  readonly givenUp: ReadonlyMap<string, string>;
  /** Takes an endpoint for withdrawn. */
  giveUp(dataset: string, reason: string): void;
  /** Tells which slices a whole file has: probes and groups are drawn from them. */
  expect(slices: readonly Slice[]): void;
  /** Whether it is not to be asked now, because of a group, of `--without` or because it waits for the closing round. */
  isHeld(stored: Pick<StoredSlice, "id" | "slice" | "purpose" | "state">): boolean;
  /** The same for a slice that is not in the plan: whether a group or `--without` keeps it from being asked. */
  isWithheld(slice: Slice): boolean;
  /** Of the known groups, those that nobody has asked yet. */
  probes(): Slice[];
  /** Whether a group that the snapshot in hand knows as refused has answered. */
  isReopened(slice: Slice): boolean;
  /** The groups that the snapshot in hand knows, by id, which have not answered. */
  knownRefused(): ReadonlyMap<string, KnownGroup>;
  noteCaptured(stored: StoredSlice): void;
  noteAttempt(stored: StoredSlice, attempt: Omit<RefusedAttempt, "id">): Next;
  /** Refused slices that the closing round is to ask again. */
  waiting(): StoredSlice[];
  isWaiting(stored: Pick<StoredSlice, "id">): boolean;
  /** During the closing round nothing else is asked, and what waited is. */
  close(isClosing: boolean): void;
  readonly confirmAfterMs: number;
  /** Whether the operator has left an endpoint out. */
  isLeftOut(dataset: string): boolean;
  /** Whether it asks for a known group. */
  isProbing(slice: Slice): boolean;
  /** Whether asking often is of no use: for a known group, and for a comparison if many others are refused. */
  isFutile(stored: Pick<StoredSlice, "slice" | "purpose">): boolean;
}

/** Comparisons that are refused at one time: more than are under way and meet a refusal by chance. */
const MANY_PROOFS = 12;

/** Requests for a slice of a group: one, and one in the closing round. */
const ASKS_OF_A_MEMBER = 2;

export function createRefusals(journal: Journal, options: RefusalOptions): Refusals {
  const { inHand, attempts, confirmAfterMs = DEFAULT_CONFIRM_AFTER_MS, without = new Set() } = options;
  const evidence = createEvidence();
  let knownGroups: Map<string, KnownGroup> = new Map();
  let expected: readonly Slice[] = [];
  let isClosing = false;
  const givenUp = new Map<string, string>();
  const refusedProofs = new Set<number>();

  replay(journal, evidence, options);

  const isOpen = ({ parts }: KnownGroup) => parts.some((part) => evidence.capturedIn(part) > 0);
  const groupsOf = (slice: Slice) =>
    [...knownGroups.values()].filter(({ parts }) => parts.some((part) => isInPart(part, slice)));
  const isProbe = (slice: Slice) => [...knownGroups.values()].some(({ probes }) => probes.has(sliceId(slice)));
  const isInKnownGroup = (slice: Slice) => groupsOf(slice).some((group) => !isOpen(group));
  const isMember = (slice: Slice) =>
    evidence.isClosed(slice) ||
    evidence.isSuspect(slice) ||
    isInKnownGroup(slice) ||
    (inHand?.refused.has(sliceId(slice)) ?? false);
  const asksOf = (slice: Slice) => (isMember(slice) ? ASKS_OF_A_MEMBER : Math.max(ASKS_OF_A_MEMBER, attempts));

  function isWithheld(slice: Slice): boolean {
    const { dataset } = slice;
    if (without.has(dataset) || givenUp.has(dataset) || isUnnamed(slice) || evidence.isClosed(slice)) return true;
    return isInKnownGroup(slice) && !isProbe(slice);
  }

  /** Whether it was refused as often as it takes. */
  const isConfirmed = ({ id, slice }: StoredSlice) => {
    const refused = evidence.refusedOf(id);
    if (!refused || refused.isMixed) return false;
    return refused.asks >= asksOf(slice) && refused.lastAt - refused.firstAt >= confirmAfterMs;
  };
  const isRefused = (stored: Pick<StoredSlice, "id">) => evidence.refusedOf(stored.id)?.isMixed === false;
  const waiting = () =>
    journal.slices().filter((stored) => stored.state === "pending" && isRefused(stored) && !isConfirmed(stored));

  /** In the first round one attempt is kept back. */
  const isAskedAgain = ({ slice, asks }: RefusedSlice) =>
    isClosing ? asks < asksOf(slice) : asks < attempts - 1 && !isMember(slice);

  return {
    evidence,
    get expected() {
      return expected;
    },
    givenUp,
    giveUp: (dataset, reason) => void givenUp.set(dataset, reason),
    expect(slices) {
      expected = slices;
      evidence.expect(slices);
      const seed = journal.header().began_at;
      knownGroups = drawProbes(inHand?.groups ?? [], slices, seed, knownGroups);
    },
    isHeld({ id, slice, purpose, state }) {
      if (purpose === "proof") return false;
      if (isClosing) return !isRefused({ id });
      return isRefused({ id }) || isWithheld(slice) || (state === "failed" && isInKnownGroup(slice));
    },
    isWithheld,
    probes() {
      const asked = plannedIds(journal);
      return expected.filter((slice) => isProbe(slice) && !asked.has(sliceId(slice)) && !without.has(slice.dataset));
    },
    isReopened: (slice) => groupsOf(slice).some(isOpen),
    knownRefused: () => new Map([...knownGroups].filter(([, group]) => !isOpen(group))),
    noteCaptured(stored) {
      if (stored.purpose === "proof") refusedProofs.delete(stored.id);
      else evidence.noteCaptured(stored);
    },
    noteAttempt(stored, attempt) {
      if (stored.purpose === "proof") {
        if (attempt.refusal) refusedProofs.add(stored.id);
        return "failure";
      }
      const refused = evidence.noteAttempt(stored, attempt);
      if (!refused || refused.isMixed) return "failure";
      return isAskedAgain(refused) ? "again" : "later";
    },
    waiting,
    isWaiting: ({ id }) => isRefused({ id }),
    close(now) {
      isClosing = now;
    },
    confirmAfterMs,
    isLeftOut: (dataset) => without.has(dataset),
    isProbing: isInKnownGroup,
    isFutile: ({ slice, purpose }) => (purpose === "proof" ? refusedProofs.size > MANY_PROOFS : isInKnownGroup(slice)),
  };
}

/**
 * What the journal knows, so that a crawl that was killed goes on. What was refused on an earlier day, or before `--retry-failed`, is
 * asked again. What was refused in an outage counts for the groups that were known before it only: nobody asks those again.
 */
function replay(journal: Journal, evidence: Evidence, { inHand, retryFailed = false }: RefusalOptions) {
  const { began_at } = journal.header();
  const last = journal.getState("refused_on");
  if (last?.began_at !== began_at || retryFailed) {
    const again = journal.slices().filter(({ reason }) => isRefused(reason));
    journal.requeue(again.map(({ id }) => id));
    journal.setState("refused_on", { began_at, from: last ? Date.now() : 0 });
  }
  const { from = 0 } = journal.getState("refused_on") ?? {};
  const forgiven = journal.getState("forgiven_until") ?? 0;
  const slices = new Map(journal.slices().map((stored) => [stored.id, stored]));
  for (const { id, ...attempt } of journal.refusedAttempts()) {
    const stored = slices.get(id);
    if (!stored || stored.state === "captured" || attempt.at < from) continue;
    if (attempt.at > forgiven || inHand?.refused.has(sliceId(stored.slice))) evidence.noteAttempt(stored, attempt);
  }
  for (const stored of slices.values()) if (stored.state === "captured") evidence.noteCaptured(stored);
}
