import { DAY, INSTANT, MILLISECONDS } from "../../snapshot/schema/definition.ts";
import type { ExportColumn, Value } from "./tables.ts";

/** How Parquet has the times of a unit; other formats have them as the file does. */
export interface TimeType {
  type: "INT32" | "INT64";
  converted_type: "DATE" | "TIMESTAMP_MILLIS";
  /** Null if a value is no time. */
  read(value: Value): number | bigint | null;
}

// Readers know the years from 1 to 9999 only.
const [FIRST_MS, LAST_MS] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
const DAY_MS = 86_400_000;

const inRange = (ms: number) => ms >= FIRST_MS && ms <= LAST_MS;

/** Undefined for a text that is no time in UTC, or names a day that its month does not have. */
function parse(text: Value, pattern: RegExp): number | undefined {
  if (typeof text !== "string" || !pattern.test(text)) return undefined;
  const ms = Date.parse(text);
  return inRange(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10)) ? ms : undefined;
}

const TIMES: Readonly<Record<string, TimeType>> = {
  [DAY]: {
    type: "INT32",
    converted_type: "DATE",
    read(value) {
      const ms = parse(value, /^\d{4}-\d\d-\d\d$/);
      return ms === undefined ? null : ms / DAY_MS;
    },
  },
  [INSTANT]: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    read(value) {
      const ms = parse(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      return ms === undefined ? null : BigInt(ms);
    },
  },
  [MILLISECONDS]: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    read: (value) => (value !== null && inRange(Number(value)) ? BigInt(value) : null),
  },
};

/** Undefined for a column that holds no times. */
export const timeTypeOf = ({ unit }: ExportColumn): TimeType | undefined => TIMES[unit ?? ""];
