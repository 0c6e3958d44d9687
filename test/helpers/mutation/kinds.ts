import {
  isObject,
  type Json,
  type JsonPart,
  numberText,
  rawJson,
  readJson,
  TWICE,
  TWICE_ESCAPED,
  writeJson,
} from "../json.ts";

/** A place in a record, and what a kind may need to know about it. */
interface Spot extends JsonPart {
  /** A whole record: it can be another value, but neither go nor come twice, or the total would lie. */
  isRecord: boolean;
  /** The values at the same path elsewhere: in the same answer, and in one of another hero. */
  peers: readonly Json[];
  foreign: readonly Json[];
  /** Picks where there is a choice. */
  draw: number;
  /** Places that are changed together. */
  count: number;
}

/** One kind of odd value: what stands in the place of a spot, or nothing where it does not apply. */
type Kind = (spot: Spot) => readonly JsonPart[] | undefined;

/** Another value. One that is there already does not apply. */
const become =
  (change: (spot: Spot) => Json | undefined): Kind =>
  (spot) => {
    const value = change(spot);
    if (value === undefined || writeJson(value) === writeJson(spot.value)) return undefined;
    return [{ key: spot.key, value }];
  };

const put = (text: string): Kind => become(() => readJson(text));

const ofNumber = (pattern: RegExp, change: (digits: string) => Json): Kind =>
  become(({ value }) => {
    const digits = numberText(value);
    return digits !== undefined && pattern.test(digits) ? change(digits) : undefined;
  });

/** Puts something odd in the middle of a text, or as a text in the place of something else. */
const inText = (odd: string): Kind =>
  become(({ value }) => (typeof value === "string" ? value.replace(/^.?/su, (first) => first + odd) : odd));

const ofList = (least: number, change: (list: readonly Json[], spot: Spot) => Json[]): Kind =>
  become((spot) => (Array.isArray(spot.value) && spot.value.length >= least ? change(spot.value, spot) : undefined));

const ofObject = (least: number, change: (members: [string, Json][]) => [string, Json][]): Kind =>
  become(({ value }) => {
    const members = isObject(value) ? Object.entries(value) : [];
    return isObject(value) && members.length >= least ? Object.fromEntries(change(members)) : undefined;
  });

const pad = (padding: Json): Kind =>
  ofList(0, (list, { draw }) => list.toSpliced(draw % (list.length + 1), 0, padding));

const extraKey = (key: string, value: Json): Kind => ofObject(0, (members) => [...members, [key, value]]);

const ofOthers = (others: "peers" | "foreign"): Kind =>
  become((spot) => {
    const different = spot[others].filter((value) => writeJson(value) !== writeJson(spot.value));
    return different[spot.draw % different.length];
  });

const typeOf = (value: Json) => (Array.isArray(value) ? "list" : numberText(value) ? "number" : typeof (value ?? ""));

/** A key that is there twice. The odd value is of another type than the honest one. */
const double =
  (arrange: (honest: JsonPart, key: string, odd: Json) => readonly JsonPart[]): Kind =>
  ({ key, value, draw }) => {
    if (key === undefined) return undefined;
    const odds = ["odd", rawJson("0"), {}, [], true].filter((odd) => typeOf(odd) !== typeOf(value));
    return arrange({ key, value }, key, odds[draw % odds.length] ?? null);
  };

/** Another way to write a moment: a date as people write it, epoch milliseconds as a text. */
function otherDate({ value }: Spot): string | undefined {
  const digits = numberText(value);
  if (digits !== undefined) return /^[12]\d{12}$/.test(digits) ? new Date(Number(digits)).toISOString() : undefined;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(typeof value === "string" ? value : "") ?? [];
  return year && `${day}/${month}/${year}`;
}

const WHOLE = /^-?\d+$/;
/** 200 kB, put in one place or shared out to many. */
const LONG = "ab é".repeat(40_000);

/** Different keys that dots, brackets or halves of characters would make alike in a path. */
const LIKE_KEYS: [string, Json][] = [
  ["zz.a", true],
  ["zz", { a: true }],
  ["zy[]", true],
  ["zy", [true]],
  ["\ud83d", true],
  ["\ud83e", true],
  ["", { "": true }],
  [".", true],
];

export const ODD_KINDS: Readonly<Record<string, Kind>> = {
  delete: ({ isRecord }) => (isRecord ? undefined : []),
  null: put("null"),
  true: put("true"),
  zero: put("0"),
  "minus-one": put("-1"),
  "one-and-half": put("1.5"),
  huge: put("1e400"),
  "twenty-digits": put("12345678901234567890"),
  "empty-text": put('""'),
  text: become(() => rawJson('"odd \\"text\\" 😀, \\u005c 1,234 5 %"')),
  html: put('"<script>alert(1)</script><font color=\\"red\\">&amp;"'),
  rtl: put('"\\u202eעברית ٣\\u202c"'),
  "long-text": become(({ count }) => LONG.slice(0, Math.ceil(LONG.length / count))),
  "empty-list": become(({ value }) => (Array.isArray(value) ? undefined : [])),
  "empty-object": put("{}"),
  nul: inText("\0"),
  surrogate: inText("\ud800"),
  "as-text": ofNumber(/./, (digits) => digits),
  "as-number": become(({ value }) =>
    typeof value === "string" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? rawJson(value) : undefined,
  ),
  "as-float": ofNumber(WHOLE, (digits) => rawJson(`${digits}.0`)),
  "as-exponent": ofNumber(WHOLE, (digits) => rawJson(`${digits}e0`)),
  "minus-zero": ofNumber(/./, () => rawJson("-0")),
  "many-digits": ofNumber(/./, () => rawJson("0.12345678901234567890123456789")),
  "other-date": become(otherDate),
  collide: ofOthers("peers"),
  foreign: ofOthers("foreign"),
  stranger: become(({ value }) => {
    if (Array.isArray(value) || isObject(value)) return undefined;
    return numberText(value) ? rawJson("999999") : "999999";
  }),
  twice({ value, isRecord, key, draw }) {
    if (Array.isArray(value) && value.length > 0) {
      const place = draw % value.length;
      return [{ key, value: value.toSpliced(place, 0, value[place] as Json) }];
    }
    const part = { key, value };
    return isRecord || key !== undefined ? undefined : [part, part];
  },
  reversed: ofList(2, (list) => list.toReversed()),
  emptied: ofList(1, () => []),
  "push-empty": pad(""),
  "push-zero": pad(rawJson("0")),
  "push-null": pad(null),
  "extra-key": extraKey("zz_extra", "a text"),
  "extra-surrogate": extraKey("\ud83d", "\ude00"),
  "like-keys": ofObject(0, (members) => [...members, ...LIKE_KEYS]),
  "proto-key": extraKey("__proto__", { toString: null, data: rawJson("1") }),
  "dup-key-before": double((honest, key, odd) => [{ key: TWICE + key, value: odd }, honest]),
  "dup-key-after": double((honest, key, odd) => [honest, { key: TWICE + key, value: odd }]),
  "dup-key-escaped": double((honest, key, odd) => [{ key: TWICE_ESCAPED + key, value: odd }, honest]),
  "key-order": ofObject(2, (members) => members.toReversed()),
};
