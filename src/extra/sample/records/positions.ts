import type { Lang } from "../../../api/enumerations.ts";
import { LANES, ROLES } from "../../../api/enumerations.ts";
import { PHRASES } from "../phrases.ts";
import type { Hero } from "../roster.ts";

const ICONS = "https://akmweb.youngjoygame.com/web/gms/image/";
const EDITOR = "nickjin";

// Record id, `_id`, creation, icon: as captured, in the order of the ids 1, 2, 3 ….
const LANE_RECORDS = [
  [2732085, "6685424caa8e7f6ec4703d97", 1720009292257, "6a246099f7eb83a8856306d8b4c84fc2.svg"],
  [2732084, "66854225aa8e7f6ec4703d93", 1720009253985, "facab1eacb218d767b5acb80304bfafd.svg"],
  [2732083, "66854202aa8e7f6ec4703d8f", 1720009218480, "a3dbb075b4d8186c29f02f7d47da236a.svg"],
  [2732080, "668541caaa8e7f6ec4703d8a", 1720009162509, "de611167c7310681135f0b4198137bfa.svg"],
  [2732079, "668541a2aa8e7f6ec4703d86", 1720009122589, "91f817c656908a83c2e24eecb3b70986.svg"],
] as const;

const ROLE_RECORDS = [
  [2740657, "6698bfbc613093b976b4a949", 1721286588147, "60638c59536d9505c9c731af13f7fdfd.png"],
  [2740659, "6698bfe8613093b976b4a96c", 1721286632237, "629e282165d4b63deceaf350426ea440.png"],
  [2740661, "6698bffd613093b976b4a970", 1721286653803, "d0b8b65a47fc43dc7bb2bac447072fd2.png"],
  [2740663, "6698c015613093b976b4a974", 1721286677393, "1c6985dd0caec2028ccb6d1b8ca95e0f.png"],
  [2740665, "6698c04f613093b976b4a978", 1721286735503, "025c69a764924f4bac526a2662f1a0b9.png"],
  [2740666, "6698c06a613093b976b4a97c", 1721286762785, "1e4609b25a4cd63ee5a13015d4058159.png"],
] as const;

type PositionRecord = (typeof LANE_RECORDS | typeof ROLE_RECORDS)[number];

function metadata([id, _id, createdAt]: PositionRecord, caption: string, object: number, data: object) {
  return {
    _id,
    caption,
    configId: 144237,
    createdAt,
    createdUser: EDITOR,
    data: { _object: object, ...data },
    dynamic: null,
    id,
    linkId: [object],
    sort: 0,
    updatedAt: 1723022932111,
    updatedUser: EDITOR,
  };
}

// Captions are the publisher's notes: Chinese beside English texts, translated in the other languages.
function captionOf(lang: Lang, list: "lanes" | "roles", index: number): string {
  const words = PHRASES[lang === "en" ? "zh-CN" : lang];
  const title = words[list][index] ?? "";
  if (list === "lanes") return title;
  return lang === "en" ? `${index + 1}${title}` : `${index + 1} ${title}`;
}

function laneMetadata(lang: Lang, id: string) {
  const index = LANES.findIndex((lane) => lane.id === id);
  const record = LANE_RECORDS[index] ?? LANE_RECORDS[0];
  return metadata(record, captionOf(lang, "lanes", index), 2732073, {
    road_sort_icon: ICONS + record[3],
    road_sort_id: id,
    road_sort_title: PHRASES[lang].lanes[index],
  });
}

function roleMetadata(lang: Lang, id: string) {
  const index = ROLES.findIndex((role) => role.id === id);
  const record = ROLE_RECORDS[index] ?? ROLE_RECORDS[0];
  return metadata(record, captionOf(lang, "roles", index), 2740651, {
    sort_icon: ICONS + record[3],
    sort_id: id,
    sort_title: PHRASES[lang].roles[index],
  });
}

/** Records have two slots, "" for an empty one. Seen in captures: some heroes have a third slot, and then no labels. */
function hasThirdSlot(hero: Hero): boolean {
  return hero.id % 7 === 2 && hero.lanes.length === 2;
}

function slots<T>(items: readonly T[]): (T | "")[] {
  return [items[0] ?? "", items[1] ?? ""];
}

export function roadsort(hero: Hero, lang: Lang) {
  const lanes = slots(hero.lanes.map((id) => laneMetadata(lang, id)));
  return hasThirdSlot(hero) ? [...lanes, ""] : lanes;
}

export function sortid(hero: Hero, lang: Lang) {
  return slots(hero.roles.map((id) => roleMetadata(lang, id)));
}

export function roadLabels(hero: Hero, lang: Lang): string[] {
  return hasThirdSlot(hero) ? ["", ""] : slots(hero.lanes.map((id) => PHRASES[lang].lanes[Number(id) - 1] ?? ""));
}

export function sortLabels(hero: Hero, lang: Lang): string[] {
  const { roleLabels, roles } = PHRASES[lang];
  return slots(hero.roles.map((id) => (roleLabels ?? roles)[Number(id) - 1] ?? ""));
}
