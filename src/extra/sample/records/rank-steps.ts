import type { Lang } from "../../../api/enumerations.ts";
import { hexDigits, pickFromRing } from "../numbers/hash.ts";
import { PHRASES } from "../phrases.ts";
import { image } from "../roster.ts";

const OBJECT = 3210429;
const DIVISIONS = ["Ⅰ", "Ⅱ", "Ⅲ", "Ⅳ", "Ⅴ"];

interface Step {
  bigrank: number;
  /** From 1; `undefined` for a rank without divisions. */
  division: number | undefined;
  start: number;
  end: number;
}

/** The divisions of each rank, and the numbers that one division holds. */
const RANKS = [
  [3, 4],
  [3, 4],
  [4, 5],
  [5, 6],
  [5, 6],
  [5, 6],
] as const;
/** First numbers of the four ranks without divisions. 135 and 136 belong to no rank; the last rank is open-ended. */
const GLORY = [137, 161, 186, 236];
const LAST_NUMBER = 9999;

/** Ascending; the list endpoint returns them in descending order. */
const STEPS: readonly Step[] = [...stepsWithDivisions(), ...stepsWithoutDivisions()];
export const RANK_STEPS = STEPS.toReversed();

function stepsWithDivisions(): Step[] {
  let next = 1;
  return RANKS.flatMap(([divisions, size], rank) =>
    Array.from({ length: divisions }, (_, i) => {
      const start = next;
      next += size;
      return { bigrank: rank + 1, division: divisions - i, start, end: start + size - 1 };
    }),
  );
}

function stepsWithoutDivisions(): Step[] {
  return GLORY.map((start, i) => ({
    bigrank: 7,
    division: undefined,
    start,
    end: (GLORY[i + 1] ?? LAST_NUMBER + 1) - 1,
  }));
}

export function rankStepRecord(step: Step, lang: Lang) {
  const { bigrank, division, start, end } = step;
  const index = STEPS.indexOf(step);
  const divided = division !== undefined && { minrank: String(division), minrank_name: DIVISIONS[division - 1] };
  return {
    _id: `6908a30e${hexDigits(16, start, 70)}`,
    caption: `${start}-${end}${pickFromRing(PHRASES["zh-CN"].epithets, bigrank)}`,
    configId: 144237,
    createdAt: 1762173710696 - index * 11,
    createdUser: "v_xyxu",
    data: {
      _object: OBJECT,
      bigrank,
      bigrank_name: pickFromRing(PHRASES[lang].epithets, bigrank),
      icon: image("rank", bigrank, "web/gms/image/"),
      ...divided,
      rankid_end: end,
      rankid_start: start,
    },
    id: 3_210_567 + index,
    ...(divided ? {} : { linkId: [OBJECT] }),
    sort: 0,
    updatedAt: 1762173714202,
    updatedUser: "v_xyxu",
  };
}
