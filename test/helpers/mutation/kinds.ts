import { compose, decode, isContainer, type Json, memberOf, type Part, parseJson } from "./json.ts";

/** A place in a record, and what a kind may need to know about it. */
export interface Spot extends Part {
  /** A whole record: it can be another value, but neither go nor come twice, or the total would lie. */
  isRecord: boolean;
  /** What lies at the same path elsewhere: in the same answer, and in one of another slice. */
  peers: () => readonly Json[];
  foreign: () => readonly Json[];
  /** Picks where there is a choice. */
  draw: number;
  /** Places that are changed together. */
  count: number;
}

/** One kind of odd value: what stands in the place of a spot, or nothing where it does not apply. */
export interface Kind {
  name: string;
  apply: (spot: Spot) => readonly Part[] | undefined;
}

/** Another value. One that is there already does not apply. */
const value = (name: string, change: (spot: Spot) => string | undefined): Kind => ({
  name,
  apply(spot) {
    const text = change(spot);
    return text === undefined || text === spot.value.text ? undefined : [withValue(spot, parseJson(text))];
  },
});

const withValue = ({ key }: Part, changed: Json): Part =>
  key === undefined ? { value: changed } : { key, value: changed };

function put(name: string, text: string): Kind {
  const odd = parseJson(text);
  return { name, apply: (spot) => (spot.value.text === text ? undefined : [withValue(spot, odd)]) };
}

const ofNumber = (name: string, pattern: RegExp, change: (digits: string) => string): Kind =>
  value(name, ({ value: { type, text } }) => (type === "number" && pattern.test(text) ? change(text) : undefined));

/** In the middle of a text, or as one in the place of something else. */
const inText = (name: string, part: string): Kind =>
  value(name, ({ value: { type, text } }) => {
    if (type !== "string") return `"${part}"`;
    const [first = "", ...rest] = text.slice(1, -1).match(/\\u.{4}|\\.|[^\\]/gsu) ?? [];
    return `"${first}${part}${rest.join("")}"`;
  });

const ofParts = (
  name: string,
  type: "object" | "array",
  least: number,
  change: (parts: readonly Part[], spot: Spot) => readonly Part[],
): Kind => ({
  name,
  apply(spot) {
    const { value: old } = spot;
    if (old.type !== type || old.parts.length < least) return undefined;
    const changed = compose(type, change(old.parts, spot));
    return changed.text === old.text ? undefined : [withValue(spot, changed)];
  },
});

const push = (name: string, padding: string): Kind =>
  ofParts(name, "array", 0, (parts, { draw }) =>
    parts.toSpliced(draw % (parts.length + 1), 0, { value: parseJson(padding) }),
  );

const extraKey = (name: string, key: string, text: string): Kind =>
  ofParts(name, "object", 0, (parts) => [...parts, { key, value: parseJson(text) }]);

const ofOthers = (name: string, others: "peers" | "foreign"): Kind =>
  value(name, (spot) => {
    const different = spot[others]().filter(({ text }) => text !== spot.value.text);
    return different[spot.draw % different.length]?.text;
  });

/** A key that is there twice. The odd value is of another type than the honest one. */
const double = (name: string, arrange: (honest: Part, odd: Part, key: string) => readonly Part[]): Kind => ({
  name,
  apply({ key, value: honest, draw }) {
    if (key === undefined) return undefined;
    const odds = ['"odd"', "0", "null", "{}", "[]", "true"].map(parseJson).filter(({ type }) => type !== honest.type);
    return arrange({ key, value: honest }, { key, value: odds[draw % odds.length] ?? honest }, key);
  },
});

const escaped = (key: string) => {
  const [first = "", ...rest] = decode(key);
  const escapes = [...Array(first.length).keys()].map((place) => first.charCodeAt(place).toString(16).padStart(4, "0"));
  return `"${escapes.map((code) => `\\u${code}`).join("")}${JSON.stringify(rest.join("")).slice(1)}`;
};

function indent(json: Json, before = "\r\n"): string {
  if (json.parts.length === 0) return json.text;
  const deeper = `${before}\t `;
  const lines = json.parts.map(({ key, value: inner }) => `${key ? `${key} : ` : ""}${indent(inner, deeper)}`);
  const [open, close] = json.type === "object" ? "{}" : "[]";
  return `${open}${deeper}${lines.join(`,${deeper}`)}${before}${close}`;
}

/** Another way to write a moment: a date as people write it, epoch milliseconds as a text. */
function otherDate({ value: { type, text } }: Spot): string | undefined {
  if (type === "number") return /^[12]\d{12}$/.test(text) ? `"${new Date(Number(text)).toISOString()}"` : undefined;
  const [, year, month, day] = /^"(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return year && `"${day}/${month}/${year}"`;
}

const WHOLE = /^-?\d+$/;
const NUMBER_TEXT = /^"-?(?:0|[1-9]\d*)(?:\.\d+)?"$/;
/** 200 kB, put in one place or shared out to many. */
const LONG = "ab é".repeat(40_000);
const parts = new Map<number, Json>();

function longText(count: number): Json {
  const part = parts.get(count) ?? parseJson(JSON.stringify(LONG.slice(0, Math.ceil(LONG.length / count))));
  parts.set(count, part);
  return part;
}

export const KINDS: readonly Kind[] = [
  { name: "delete", apply: ({ isRecord }) => (isRecord ? undefined : []) },
  put("null", "null"),
  put("true", "true"),
  put("zero", "0"),
  put("minus-one", "-1"),
  put("one-and-half", "1.5"),
  put("huge", "1e400"),
  put("twenty-digits", "12345678901234567890"),
  put("empty-text", '""'),
  put("text", '"odd \\"text\\" 😀, \\u005c 1,234 5 %"'),
  put("html", '"<script>alert(1)</script><font color=\\"red\\">&amp;"'),
  put("rtl", '"\\u202eעברית ٣\\u202c"'),
  { name: "long-text", apply: (spot) => [withValue(spot, longText(spot.count))] },
  value("empty-list", ({ value: { type } }) => (type === "array" ? undefined : "[]")),
  put("empty-object", "{}"),
  inText("nul", "\\u0000"),
  inText("surrogate", "\\ud800"),
  ofNumber("as-text", /./, (digits) => `"${digits}"`),
  value("as-number", ({ value: { text } }) => (NUMBER_TEXT.test(text) ? text.slice(1, -1) : undefined)),
  ofNumber("as-float", WHOLE, (digits) => `${digits}.0`),
  ofNumber("as-exponent", WHOLE, (digits) => `${digits}e0`),
  ofNumber("minus-zero", /./, () => "-0"),
  ofNumber("many-digits", /./, () => "0.12345678901234567890123456789"),
  value("other-date", otherDate),
  ofOthers("collide", "peers"),
  ofOthers("foreign", "foreign"),
  value("stranger", ({ value: old }) => {
    if (isContainer(old)) return undefined;
    return old.type === "number" ? "999999" : '"999999"';
  }),
  {
    name: "twice",
    apply(spot) {
      const { value: old, isRecord, key, draw } = spot;
      const place = draw % old.parts.length;
      const again = old.parts[place];
      if (old.type === "array" && again)
        return [withValue(spot, compose("array", old.parts.toSpliced(place, 0, again)))];
      return isRecord || key !== undefined ? undefined : [{ value: old }, { value: old }];
    },
  },
  ofParts("reversed", "array", 2, (parts) => parts.toReversed()),
  ofParts("emptied", "array", 1, () => []),
  push("push-empty", '""'),
  push("push-zero", "0"),
  push("push-null", "null"),
  extraKey("extra-key", '"zz_extra"', '"a text"'),
  extraKey("extra-surrogate", '"\\ud83d"', '"\\ude00"'),
  extraKey("proto-key", '"__proto__"', '{"toString":null,"data":1}'),
  double("dup-key-before", (honest, odd) => [odd, honest]),
  double("dup-key-after", (honest, odd) => [honest, odd]),
  double("dup-key-escaped", (honest, { value: odd }, key) => [{ key: escaped(key), value: odd }, honest]),
  ofParts("key-order", "object", 2, (parts) => parts.toReversed()),
  value("indentation", ({ value: old }) => (isContainer(old) ? indent(old) : undefined)),
];

/** One kind of odd envelope, of which the whole body is made; nothing where it does not apply. */
export interface EnvelopeKind {
  name: string;
  apply: (body: Json) => string | undefined;
}

const ofMember = (name: string, member: string, change: (part: Part) => readonly Part[]): EnvelopeKind => ({
  name,
  apply({ parts }) {
    const changed = parts.flatMap((part) => (part.key === `"${member}"` ? change(part) : [part]));
    return parts.some(({ key }) => key === `"${member}"`) ? compose("object", changed).text : undefined;
  },
});

const inData = (name: string, member: string, change: (part: Part) => readonly Part[]): EnvelopeKind => ({
  name,
  apply(body) {
    const data = memberOf(body, "data");
    const changed = data && ofMember(name, member, change).apply(data);
    return changed && ofMember(name, "data", (part) => [{ ...part, value: parseJson(changed) }]).apply(body);
  },
});

export const ENVELOPE_KINDS: readonly EnvelopeKind[] = [
  ofMember("message-null", "message", (part) => [{ ...part, value: parseJson("null") }]),
  ofMember("message-number", "message", (part) => [{ ...part, value: parseJson("1e400") }]),
  ofMember("message-gone", "message", () => []),
  { name: "bom", apply: ({ text }) => `\ufeff${text}` },
  { name: "white-space", apply: (body) => `\r\n ${indent(body)}\t\n` },
  ofMember("code-gone", "code", () => []),
  ofMember("code-twice", "code", (part) => [{ ...part, value: parseJson("-1") }, part]),
  inData("records-twice", "records", (part) => [{ ...part, value: parseJson("[]") }, part]),
  inData("records-null", "records", (part) => [{ ...part, value: parseJson("null") }]),
  inData("total-text", "total", (part) => [{ ...part, value: parseJson(`"${part.value.text}"`) }]),
];
