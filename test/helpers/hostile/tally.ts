import type { Conversation } from "./conversation.ts";

const KINDS = 20;

/** What was tried, and what came of it that must not. */
export function createTally() {
  const kinds = new Map<string, { count: number; first: string }>();
  const total = { cases: 0, requests: 0, answers: 0, overloaded: 0 };

  return {
    total,
    fault(kind: string, where: () => string) {
      const known = kinds.get(kind);
      if (known) known.count += 1;
      else kinds.set(kind, { count: 1, first: where() });
    },
    /** Each kind of fault once, with the first case that showed it. */
    faults: () =>
      [...kinds]
        .toSorted(([, a], [, b]) => b.count - a.count)
        .slice(0, KINDS)
        .map(([kind, { count, first }]) => `${count} × ${kind}: ${first}`),
  };
}

export type Tally = ReturnType<typeof createTally>;

export const describeCase = ({ name, pieces }: Conversation, number: number) =>
  `${JSON.stringify(name.slice(0, 80))}, answer ${number}, sent ${shorten(pieces)}`;

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
