import { createHash } from "node:crypto";
import { type Slice, sliceId } from "../../api/endpoint.ts";
import { type ClosedPart, describePart, isInPart, LEAST_OF_A_PART, partId } from "../../api/parts.ts";
import { capturedSlices, type StoredSlice } from "../../journal/journal.ts";
import { askSlices } from "../ask/collect.ts";
import { drawDifferent } from "../ask/queue.ts";
import { isOlderThan } from "../doubts/batches/older-than-base.ts";
import { isClosedIn } from "../purposes.ts";
import type { CrawlBase } from "../refresh/base.ts";
import type { Run } from "../run.ts";

/** A part that the base has closed, and the few slices of it that tell whether it still is. */
interface Probed {
  part: ClosedPart;
  slices: StoredSlice[];
}

/**
 * Asks for a few slices of each part that the base has closed, each once. If one answers, the part is open: all that is missing of it is
 * asked, or with a budget has its turns.
 */
export async function askProbes(run: Run): Promise<void> {
  const { journal, options, budget, log } = run;
  const probed = drawProbes(run);
  const probes = [...new Set(probed.flatMap(({ slices }) => slices))];
  if (probes.length === 0) return;
  const ids = probes.map(({ id }) => id);
  journal.setPurpose(ids, "answer");
  const asking = journal.slices().filter(({ id }) => ids.includes(id));
  await askSlices(run, asking, { purpose: "answer", attempts: 1, isClosing: true, isProbe: true });
  const asked = journal.slices().filter(({ id }) => ids.includes(id));
  for (const stored of asked) {
    const reason = reasonAsBefore(stored, probed, options.base);
    if (!reason) continue;
    journal.requeue([stored.id]);
    journal.markFailed(stored.id, reason);
  }
  const answered = new Set(capturedSlices(journal).flatMap(({ id }) => (ids.includes(id) ? [id] : [])));
  journal.setPurpose(
    ids.filter((id) => !answered.has(id)),
    "closed",
  );
  const opened = probed.filter(({ slices }) => slices.some(({ id }) => answered.has(id))).map(({ part }) => part);
  if (opened.length === 0) return;
  for (const part of opened) {
    run.opened.add(partId(part));
    log("opened", { part: describePart(part), since: part.since });
  }
  const due = journal.slices("closed").filter(({ slice }) => !isClosedIn(options.base, slice, run.opened));
  journal.setPurpose(
    due.map(({ id }) => id),
    budget ? "keep" : "answer",
  );
}

/**
 * Returns the reason for which a part was closed, `empty` or `older`, if its probe was answered in that way again: such an answer does not open
 * the part.
 */
function reasonAsBefore(stored: StoredSlice, probed: readonly Probed[], base: CrawlBase | undefined) {
  if (stored.state !== "captured") return undefined;
  const reason = stored.facts.records === 0 ? "empty" : isOlderThan(base, stored) ? "older" : undefined;
  const ofProbe = probed.filter(({ slices }) => slices.some(({ id }) => id === stored.id));
  return ofProbe.some(({ part }) => part.reason === reason) ? reason : undefined;
}

/**
 * Draws probes once in a run, others each day: slices that are missing there, differ as much as can be, and lie in no other closed part if
 * there are such.
 */
function drawProbes({ journal, options, probed }: Run): Probed[] {
  const closed = journal.slices("closed");
  const parts = (options.base?.closed ?? []).filter((part) => !probed.has(partId(part)));
  for (const part of parts) probed.add(partId(part));
  const seed = journal.header().began_at.slice(0, 10);
  return parts.map((part) => {
    const members = closed.filter(({ slice }) => isInPart(part, slice));
    const isAlone = ({ slice }: StoredSlice) =>
      !options.base?.closed.some((other) => other !== part && isInPart(other, slice));
    const [alone, shared] = [members.filter(isAlone), members.filter((stored) => !isAlone(stored))];
    const drawn = drawDifferent(shuffle(alone, `${seed} ${partId(part)}`), LEAST_OF_A_PART);
    const rest = LEAST_OF_A_PART - drawn.length;
    const others = drawn.map(({ slice }) => slice);
    return { part, slices: [...drawn, ...drawDifferent(shuffle(shared, `${seed} ${partId(part)}`), rest, others)] };
  });
}

const shuffle = <T extends { slice: Slice }>(slices: readonly T[], seed: string): T[] =>
  slices
    .map((one) => ({
      one,
      draw: createHash("sha256")
        .update(`${seed} ${sliceId(one.slice)}`)
        .digest("hex"),
    }))
    .sort((a, b) => (a.draw < b.draw ? -1 : 1))
    .map(({ one }) => one);
