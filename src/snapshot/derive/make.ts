import type { CellSource } from "../schema/row-source.ts";
import type { Fitted } from "./fit.ts";
import type { CellValue } from "./table-writer.ts";

type How = Extract<CellSource, { kind: "made" }>["how"];

/** Makers of a cell from another one. */
export const MAKERS: Readonly<Record<How, (from: CellValue) => Fitted>> = {
  plain: (from) => ({ value: stripMarkup(from) }),
  cooldown: (from) => toFitted(from, "cooldown"),
  mana: (from) => toFitted(from, "mana"),
};

function toFitted(from: CellValue, which: "cooldown" | "mana"): Fitted {
  const value = typeof from === "string" ? readSkillCost(from)[which] : null;
  return value === undefined ? { value: null, unfit: true } : { value };
}

/** Strips the HTML-like markup of descriptions (`<font color="…">`); a lone `<` is text. */
export const stripMarkup = <T>(text: T): T | string =>
  typeof text === "string" ? text.replaceAll(/<\/?[a-z][^<>]*>/gi, "") : text;

/** The zeros of the digits that the service's languages use beside those of ASCII. */
const ZEROS = ["٠", "۰", "๐", "០"].map((zero) => zero.codePointAt(0) ?? 0);

const MANA = /mana|maná|năng lượng|ман[аеуы]|مانا|マナ|마나|มานา|法力|魔力|魔法|ម៉ាណា|មាណា/iu;
const OTHER_COST = /energ|энерг|طاقة|エネルギー|에너지|พลังงาน|能量/iu;

/** The text behind a colon: a number, and its unit or the next label. */
const NUMBER = /^\s*(\d+(?:[.,]\d{1,2})?)?(?!\s*%)(\D*)$/u;

/** The numbers in a text such as `CD: 12.5   Mana Cost: 95`. Null: none; undefined: something that is no number. */
interface SkillCost {
  cooldown: number | null | undefined;
  mana: number | null | undefined;
}

/**
 * Reads cooldown and cost, in any language: each has its label before it, and the first label that is not known for a cost is the
 * cooldown's.
 */
function readSkillCost(text: string): SkillCost {
  const plain = normalise(text);
  if (plain === "") return { cooldown: null, mana: null };
  const pieces = plain.split(":").map((piece) => ({ piece, match: NUMBER.exec(piece) }));
  const parts = pieces.slice(1).map(({ match }, before) => {
    const { piece = "", match: last } = pieces[before] ?? {};
    const label = (before > 0 && last?.[2]) || piece;
    return { number: toNumber(match?.[1]), isMana: MANA.test(label), isOther: OTHER_COST.test(label) };
  });
  if (parts.length === 0 || parts.length > 2) return { cooldown: undefined, mana: undefined };
  const wait = parts.find(({ isMana, isOther }) => !isMana && !isOther);
  const cost = parts.find((part) => part !== wait);
  return {
    cooldown: wait ? wait.number : null,
    mana: cost ? (cost.isOther && !cost.isMana ? undefined : cost.number) : null,
  };
}

const toNumber = (digits: string | undefined) => (digits ? Number(digits.replace(",", ".")) : undefined);

/** Writes digits and signs in ASCII, without marks of direction. */
const normalise = (text: string) =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    // A search from each of many spaces in turn takes the square of their number.
    .replaceAll(/\s+/g, " ")
    .replaceAll("٫", ".")
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .trim();

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((from) => code >= from && code < from + 10);
  return zero === undefined ? digit : String(code - zero);
}
