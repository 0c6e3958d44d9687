/** A row of `EXPLAIN`: an instruction of SQLite's machine (https://sqlite.org/opcode.html). */
export interface Instruction {
  opcode: string;
  /** A cursor. */
  p1: number;
  /** The first page of the tree that `OpenRead` opens, and its file: 0 for the one that was opened. */
  p2: number;
  p3: number;
}

/** Instructions that go through all of a tree: they begin at one end of it, or count it. */
const WHOLE = new Set(["Rewind", "Last", "Count"]);

/** The first pages of the tables and indexes of the file that a query goes through from end to end, each once. */
export function wholeTrees(plan: readonly Instruction[]): number[] {
  const cursors = new Set(plan.filter(({ opcode }) => WHOLE.has(opcode)).map(({ p1 }) => p1));
  const opens = plan.filter(({ opcode, p1, p3 }) => opcode === "OpenRead" && p3 === 0 && cursors.has(p1));
  return [...new Set(opens.map(({ p2 }) => p2))];
}
