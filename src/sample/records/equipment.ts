import type { Lang } from "../../api/enumerations.ts";
import { hash, hex, mix } from "../numbers/hash.ts";
import { image } from "../roster.ts";
import { WORDS } from "../words.ts";
import { effectOf, nameOf } from "./texts.ts";

interface Item {
  /** Place in the order of ids; the list shows the newest first. */
  number: number;
  id: number;
  type: number;
  /** What it is built into. */
  targets: readonly number[];
}

// Components, what is made of them, whole items, boots and those of a game mode; the last ones have no details.
const RUNS = [
  [1001, 40],
  [2001, 40],
  [3001, 64],
  [3561, 13],
  [9990, 27],
] as const;
const DETAILED = 152;

const IDS = RUNS.flatMap(([first, count]) => Array.from({ length: count }, (_, i) => first + i));

const ITEMS: readonly Item[] = IDS.map((id, number) => ({
  number,
  id,
  type: 1 + (hash(id, 40) % 6),
  targets: targetsOf(id),
}));

function targetsOf(id: number): number[] {
  const h = hash(id, 41);
  if (id < 2000) return [2001 + (h % 40), 2001 + ((h + 1 + (mix(h, 1) % 38)) % 40)].slice(h % 2);
  if (id < 3000) return [3001 + (h % 64), 3001 + ((h + 7) % 64), 3001 + ((h + 19) % 64)].slice(h % 3);
  return [];
}

/** Whole items, which builds are made of. */
export const WHOLE_ITEMS = IDS.filter((id) => id >= 3001 && id < 3065);

export const LISTED_ITEMS = ITEMS.toReversed();
export const DETAILED_ITEMS = ITEMS.slice(0, DETAILED).toReversed();

const icon = (id: number) => image("item", id);

function metadata({ number, id }: Item, source: number, stamp: number, data: object) {
  return {
    _createdAt: stamp,
    _id: `69fdb7a5${hex(16, id, source)}`,
    _updatedAt: stamp,
    data,
    id: 102_200 + number,
    sourceId: source,
  };
}

export function itemRecord(item: Item, lang: Lang) {
  const data = { equipicon: icon(item.id), equipid: item.id, equipname: nameOf(item.number, lang) };
  return metadata(item, 2775075, 1778235301837, data);
}

function tipsOf({ id }: Item, lang: Lang): string {
  const { physical, magic, cost } = WORDS[lang];
  const h = hash(id, 42);
  const second = h % 2 === 0 ? `+${5 + (h % 4) * 5}% ${cost[0]}<br>` : "";
  return `+${10 + (mix(h, 1) % 12) * 10} ${(mix(h, 2) % 2 === 0 ? physical : magic)[0]}<br>${second}`;
}

export function detailedItemRecord(item: Item, lang: Lang) {
  const name = nameOf(item.number, lang);
  const skills = Array.from({ length: hash(item.id, 43) % 3 }, (_, i) => {
    return `\n<font color="FFD700">${nameOf(item.id + i, lang)}</font>: ${effectOf(name, lang, hash(item.id, 44, i))}`;
  });
  const places = Array.from({ length: 7 }, (_, i) => [`equipskill${i + 1}`, skills[i] ?? "\n: "]);
  return metadata(item, 2713995, 1773221702699, {
    equipicon: icon(item.id),
    equipid: item.id,
    equipname: name,
    ...Object.fromEntries(places),
    equipskilldesc: skills.join(""),
    equiptips: tipsOf(item, lang),
    equiptype: String(item.type),
    equiptypename: WORDS[lang].specialities[item.type],
    targetequipid: item.targets.join(","),
  });
}
