import { readId } from "../../api/body/scalars.ts";
import type { ColumnDefinition } from "../schema/definition.ts";

/** A value as a column holds it. `unfit`: it does not fit, and null stands for it. `repaired`: a text that was no Unicode. */
export interface Fitted {
  value: string | number | null;
  unfit?: true;
  repaired?: true;
}

const NULL: Fitted = { value: null };
const UNFIT: Fitted = { value: null, unfit: true };
// An integer, with leading zeros in some numbers of the publisher's.
const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Puts a JSON value into a column. A missing value, null or an empty text is null (an empty text stays one if null is not allowed). Texts
 * of numbers are numbers and numbers are texts if the column says so; nothing else is converted.
 */
export function fitCell(type: ColumnDefinition["type"], nullable: boolean, value: unknown): Fitted {
  if (value === undefined || value === null) return NULL;
  if (value === "") return nullable || type !== "TEXT" ? NULL : { value };
  if (type === "TEXT") return fitText(value);
  const number = type === "INTEGER" ? readWhole(value) : readDecimal(value);
  return number === undefined ? UNFIT : { value: number };
}

/** Other SQLite readers refuse lone surrogates, and stop at a NUL. */
function fitText(value: unknown): Fitted {
  if (typeof value === "number" && hasItsDigits(value)) return { value: String(value) };
  if (typeof value !== "string") return UNFIT;
  if (value.isWellFormed() && !value.includes("\0")) return { value };
  return { value: value.toWellFormed().replaceAll("\0", ""), repaired: true };
}

/** A whole number beyond 2^53 was sent with other digits than are left of it. */
const hasItsDigits = (number: number) =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

function readWhole(value: unknown): number | undefined {
  return readId(typeof value === "string" && WHOLE.test(value) ? Number(value) : value);
}

function readDecimal(value: unknown): number | undefined {
  const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  // -0 is 0.
  return typeof number === "number" && Number.isFinite(number) ? number + 0 : undefined;
}

/** The whole numbers in a text or a list, set apart by anything that no number has in it. */
export function splitNumbers(value: unknown): unknown[] {
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part) => (typeof part === "string" ? part.split(/[^\w.+-]+/).filter(Boolean) : [part]));
}
