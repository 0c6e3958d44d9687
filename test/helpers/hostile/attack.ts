import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { expect } from "vitest";
import { LIMITS } from "../../../src/server/http/limits.ts";
import { faultsOf } from "./contract.ts";
import { type Conversation, type Ending, talk } from "./conversation.ts";
import type { Target } from "./target.ts";

/** How many files and connections more may stay open for clients that are gone. */
const STAYS = 20;

type Note = (kind: string, first: () => string) => void;

/**
 * Holds all conversations, so many at the same time, and asks /health all the while. It tells everything that must not have
 * happened, each kind of fault once, with the first case that showed it.
 */
export async function attack(target: Target, conversations: readonly Conversation[], together = 16): Promise<string[]> {
  const kinds = new Map<string, { count: number; first: string }>();
  const note: Note = (kind, first) => {
    const known = kinds.get(kind) ?? { count: 0, first: first() };
    kinds.set(kind, { ...known, count: known.count + 1 });
  };
  const before = target.descriptors();
  const over = new AbortController();
  const watched = watchHealth(target, over.signal, note);
  await pLimit(together).map(conversations, async (conversation) => {
    if (!target.ended()) await hold(target.facts.url, conversation, note);
  });
  over.abort();
  await watched;
  const end = target.ended();
  if (end) note("the server ended", () => `${end.signal ?? end.code}: ${end.stderr.slice(-500)}`);
  else await expect.poll(() => target.descriptors(), { message: "open files" }).toBeLessThanOrEqual(before + STAYS);
  return [...kinds]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, 20)
    .map(([kind, { count, first }]) => `${count} × ${kind}: ${first}`);
}

async function watchHealth({ facts, ended }: Target, over: AbortSignal, note: Note) {
  while (!over.aborted && !ended()) {
    const status = await fetch(`${facts.url}/health`).then(
      (answer) => answer.text().then(() => answer.status),
      (error: Error) => error.message,
    );
    if (status !== 200) note("/health failed", () => String(status));
    await sleep(20);
  }
}

async function hold(url: string, conversation: Conversation, note: Note) {
  const { asked, overload } = conversation;
  const begun = performance.now();
  /** Half a request that has lain in a system's buffer for as long as one may take to arrive is refused. */
  const isLate = (status: number) => status === 408 && performance.now() - begun > LIMITS.headersTimeoutMs;
  let late = false;
  const ending = await talk(url, conversation, (answer, number) => {
    const expected = asked[number] && { ...asked[number], overload };
    late = isLate(answer.status);
    if (late && expected?.status) expected.status = [...expected.status, 408];
    const faults = expected ? faultsOf(answer, expected) : ["an answer that nobody asked for"];
    const got = () => `got ${answer.status} ${JSON.stringify(answer.body.toString("latin1", 0, 300))}`;
    for (const fault of faults) note(fault, () => `${describeCase(conversation, number)}, ${got()}`);
  });
  const problem = ending.problem ?? (late ? undefined : judgeCount(conversation, ending));
  if (problem !== undefined) note(problem, () => describeCase(conversation, ending.count));
}

function judgeCount({ asked, answers, leaves }: Conversation, { count, closed, hushed }: Ending): string | undefined {
  if (answers === "any" || leaves !== undefined || count >= asked.length) return undefined;
  if (answers === "closing" && (closed || hushed)) return undefined;
  return count === 0 ? "closed without an answer" : "closed before all was answered";
}

const describeCase = ({ name, asked, pieces }: Conversation, number: number) =>
  `${JSON.stringify([name.slice(0, 80), asked[number]?.path.slice(0, 80)])}, answer ${number}, sent ${shorten(pieces)}`;

const SHOWN = 1500;

/** Bytes as text, with what is repeated said once. */
function shorten(pieces: Conversation["pieces"]): string {
  let text = "";
  for (const piece of pieces) {
    text += typeof piece === "string" ? piece : piece.toString("latin1");
    if (text.length > SHOWN * 20) break;
  }
  const short = text.replace(/(.{1,40}?)\1{15,}/gs, (run, unit: string) => `‹${unit} ${run.length / unit.length}×›`);
  return JSON.stringify(short.length > SHOWN ? `${short.slice(0, SHOWN - 100)} … ${short.slice(-100)}` : short);
}
