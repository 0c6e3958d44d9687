import type { Lang } from "../../../api/enumerations.ts";
import { hash, hexDigits } from "../numbers/hash.ts";
import { PHRASES } from "../phrases.ts";
import { image } from "../roster.ts";
import { effectText, numberedName, toPlaceholders } from "./texts.ts";

const ROLE_OBJECT = 2740627;

// Emblem and attribute numbers as captured for three of them.
const EMBLEMS = [20001, 20002, 20003, 20004, 20005, 20008, 20012] as const;

export const EMBLEM_IDS: readonly number[] = EMBLEMS;

function emblemName(id: number, lang: Lang): string {
  const index = EMBLEM_IDS.indexOf(id);
  return index === 0 ? (PHRASES[lang].epithets[0] ?? "") : (PHRASES[lang].roles[index - 1] ?? "");
}

/** An emblem as builds show it. */
export function emblemData(id: number, lang: Lang) {
  const { physical, magic, cost } = PHRASES[lang];
  const h = hash(id, 50);
  const attributes = [`+${10 + (h % 9)} ${physical[0]}`, `+${5 + (h % 7)} ${magic[0]}`, `+${2 + (h % 5)}% ${cost[0]}`];
  const name = emblemName(id, lang);
  return {
    attriicon: image("emblem", id),
    emblemattr: {
      emblemattr: `${attributes.join("\n")}\n`,
      emblemattrid: `${id * 100 + 60}`.slice(1),
      emblemname: name,
    },
    emblemid: id,
    emblemname: name,
  };
}

export function roleRecord(id: number, lang: Lang) {
  const index = EMBLEM_IDS.indexOf(id);
  return {
    _id: `6698bd01${hexDigits(16, id, 51)}`,
    caption: emblemName(id, "zh-CN"),
    configId: 144237,
    createdAt: 1721285889064 + index * 7000,
    createdUser: "nickjin",
    data: {
      _object: ROLE_OBJECT,
      emblem_detail: {
        _createdAt: 1723097697235,
        _id: `66b46261${hexDigits(16, id, 52)}`,
        _updatedAt: 1727436297890,
        data: { ...emblemData(id, lang), attriicon2: "", emblembg: 0 },
        id: 100_050 + index,
        sourceId: 2718120,
      },
      emblem_icon: image("role emblem", id, "web/gms/image/", "svg"),
      emblem_id: id,
      emblem_title: emblemName(id, lang),
    },
    id: 2_740_640 + index,
    linkId: [ROLE_OBJECT],
    sort: 0,
    updatedAt: 1721287925214,
    updatedUser: "nickjin",
  };
}

/** Talent, tier, skill: as captured, in the order of the list. */
export const TALENTS = [
  [1221, 2, 61010],
  [1231, 3, 62000],
  [1211, 1, 63040],
  [831, 3, 62320],
  [811, 1, 63060],
  [721, 2, 61030],
  [821, 2, 61110],
  [731, 3, 62310],
  [631, 3, 62040],
  [711, 1, 63100],
  [611, 1, 63080],
  [621, 2, 61100],
  [521, 2, 62030],
  [531, 3, 62090],
  [511, 1, 63120],
  [331, 3, 62080],
  [311, 1, 63130],
  [134, 3, 62130],
  [132, 3, 62300],
  [321, 2, 61210],
  [133, 3, 62370],
  [131, 3, 62330],
  [121, 2, 61130],
  [122, 2, 61120],
  [111, 1, 63010],
  [112, 1, 63020],
] as const;

export function talentRecord(index: number, lang: Lang) {
  const [giftid, gifttiers, skillid] = TALENTS[index] ?? TALENTS[0];
  const skillname = numberedName(index * 3 + 1, lang);
  const skilldesc = effectText(skillname, lang, hash(giftid, 53));
  return {
    _createdAt: 1736302497664,
    _id: `677ddfa1${hexDigits(16, giftid)}`,
    _updatedAt: 1736302497664,
    data: {
      emblemskill: {
        numdescribe: (skilldesc.match(/\d+%?/g) ?? []).join(";"),
        skilldesc,
        skilldesc_text: toPlaceholders(skilldesc),
        skilldescemblem: skilldesc,
        skillicon: image("talent", giftid),
        skillid,
        skillid_lv: `${skillid}/1`,
        skillname,
      },
      giftid,
      gifttiers,
    },
    id: 100_333 - index,
    sourceId: 2718121,
  };
}
