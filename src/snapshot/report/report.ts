import type { TextRun } from "../../api/apart.ts";

export type Maybe<Value> = Value | null | undefined;

/** The kinds of values that everybody writes, and what such a value is. */
export interface Kinds {
  /** A word of ours. */
  text: Maybe<string>;
  /** A word of the data, in English. */
  word: Maybe<string>;
  count: Maybe<number>;
  /** A count of what should be there and is not. */
  lack: number;
  /** A share of 1. */
  share: Maybe<number>;
  /** A difference of two shares, in points of a percent. */
  points: Maybe<number>;
  bytes: number;
  /** The day of a time in ISO 8601. */
  day: Maybe<string>;
  time: Maybe<string>;
  /** The first time and the last. */
  times: readonly [first: string | null, last: string | null];
}

/** The two sides of a change, and which of them is told: it takes both to write them apart. */
type Side<Value> = readonly [before: Value, after: Value, told: 0 | 1];

/** The same with the kinds that are only written in lines of text. */
export interface LineKinds extends Kinds {
  /** Seconds. */
  age: Maybe<number>;
  /** How many deviations something is away from the rest. */
  deviations: number;
  shareSide: Side<number>;
  pointsSide: Side<number>;
  wordSide: Side<string>;
  runs: readonly TextRun[];
}

/** The kinds that are numbers, which stand on the right. */
export const NUMBERS: ReadonlySet<string> = new Set<keyof LineKinds>([
  "count",
  "lack",
  "share",
  "points",
  "bytes",
  "age",
  "deviations",
  "shareSide",
  "pointsSide",
]);

type FieldOf<Row, Value> = { [F in keyof Row & string]: Row[F] extends Value ? F : never }[keyof Row & string];

/** A column: its head, the kind of its values, and the field of a row that has them, or how they are made of the row. */
export type Column<Row, Told extends Kinds = Kinds> = {
  [Kind in keyof Told]: { head: string; kind: Kind; of: FieldOf<Row, Told[Kind]> | ((row: Row) => Told[Kind]) };
}[keyof Told];

/**
 * A table of what is known of a night. Who writes it (a page, a terminal, Markdown) has a table from the kind of a value to how it is
 * written, and knows nothing of the report.
 */
export interface Report<Row extends object, Told extends Kinds = Kinds> {
  caption: string;
  note?: string | undefined;
  columns: readonly Column<Row, Told>[];
  /** The rows, in their order. */
  rows: readonly Row[];
}

/** A report for those who write it, whatever its rows are. */
export interface AnyReport extends Pick<Report<object>, "caption" | "note" | "rows"> {
  columns: readonly { head: string; kind: keyof LineKinds; of: string | ((row: never) => unknown) }[];
}
