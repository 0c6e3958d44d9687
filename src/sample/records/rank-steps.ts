import type { Lang } from "../../api/enumerations.ts";
import { hex, pick } from "../numbers/hash.ts";
import { image } from "../roster.ts";
import { WORDS } from "../words.ts";

const OBJECT = 3210429;
const DIVISIONS = ["Ⅰ", "Ⅱ", "Ⅲ", "Ⅳ", "Ⅴ"];

interface Step {
  bigrank: number;
  /** From 1; none for a rank without divisions. */
  division: number | undefined;
  start: number;
  end: number;
}

/** Divisions of each rank and the numbers that one division holds. */
const RANKS = [
  [3, 4],
  [3, 4],
  [4, 5],
  [5, 6],
  [5, 6],
  [5, 6],
] as const;
/** Where the four ranks without divisions begin; 135 and 136 belong to none, the last one holds all that follow. */
const GLORY = [137, 161, 186, 236];
const LAST = 9999;

/** In ascending order; the list shows them the other way round. */
const STEPS: readonly Step[] = [...divided(), ...undivided()];
export const RANK_STEPS = STEPS.toReversed();

function divided(): Step[] {
  let next = 1;
  return RANKS.flatMap(([divisions, size], rank) =>
    Array.from({ length: divisions }, (_, i) => {
      const start = next;
      next += size;
      return { bigrank: rank + 1, division: divisions - i, start, end: start + size - 1 };
    }),
  );
}

function undivided(): Step[] {
  return GLORY.map((start, i) => ({ bigrank: 7, division: undefined, start, end: (GLORY[i + 1] ?? LAST + 1) - 1 }));
}

export function rankStepRecord(step: Step, lang: Lang) {
  const { bigrank, division, start, end } = step;
  const place = STEPS.indexOf(step);
  const divided = division !== undefined && { minrank: String(division), minrank_name: DIVISIONS[division - 1] };
  return {
    _id: `6908a30e${hex(16, start, 70)}`,
    caption: `${start}-${end}${pick(WORDS["zh-CN"].epithets, bigrank)}`,
    configId: 144237,
    createdAt: 1762173710696 - place * 11,
    createdUser: "v_xyxu",
    data: {
      _object: OBJECT,
      bigrank,
      bigrank_name: pick(WORDS[lang].epithets, bigrank),
      icon: image("rank", bigrank, "web/gms/image/"),
      ...divided,
      rankid_end: end,
      rankid_start: start,
    },
    id: 3_210_567 + place,
    ...(divided ? {} : { linkId: [OBJECT] }),
    sort: 0,
    updatedAt: 1762173714202,
    updatedUser: "v_xyxu",
  };
}
