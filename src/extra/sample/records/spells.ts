import type { Lang } from "../../../api/enumerations.ts";
import { hash, hexDigits } from "../numbers/hash.ts";
import { PHRASES } from "../phrases.ts";
import { image } from "../roster.ts";
import { effectText, numberedName } from "./texts.ts";

/** In the order of the list. */
export const SPELL_IDS: readonly number[] = [
  20160, 20140, 20100, 20190, 20110, 20080, 20070, 20060, 20040, 20050, 20030, 20020,
];

/** A spell as builds show it, and its short description. */
export function spellData(id: number, lang: Lang) {
  const skillname = numberedName(60 + (id % 97), lang);
  const skilldesc = effectText(skillname, lang, hash(id, 61), "active");
  const __data = { skilldesc, skilldescemblem: skilldesc, skillicon: image("spell", id), skillid: id, skillname };
  return { __data, battleskillid: id, skillshortdesc: PHRASES[lang].specialities[id % 10] ?? "" };
}

export function spellRecord(id: number, lang: Lang) {
  const { __data, battleskillid, skillshortdesc } = spellData(id, lang);
  const unresolved = { skillicon: "@__data.skillicon", skillname: "@__data.skillname1" };
  return {
    _createdAt: 1723097697296,
    _id: `66b46261${hexDigits(16, id, 62)}`,
    _updatedAt: 1723097697296,
    data: { __data, battleskillid, ...unresolved, skillshortdesc, skillvideo: "" },
    id: 100_059 - SPELL_IDS.indexOf(id),
    sourceId: 2718122,
  };
}
