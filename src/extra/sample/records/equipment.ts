import type { Lang } from "../../../api/enumerations.ts";
import { hash, hexDigits, mix } from "../numbers/hash.ts";
import { PHRASES } from "../phrases.ts";
import { image } from "../roster.ts";
import { effectText, numberedName } from "./texts.ts";

interface Item {
  /** Index in the order of ids; the list endpoint returns them in descending order. */
  number: number;
  id: number;
  type: number;
  /** Ids of the items it is built into. */
  targets: readonly number[];
}

// First id and count: components, intermediate items, finished items, boots, items of a game mode. The last have no details.
const ID_RANGES = [
  [1001, 40],
  [2001, 40],
  [3001, 64],
  [3561, 13],
  [9990, 27],
] as const;
const DETAILED = 152;

const IDS = ID_RANGES.flatMap(([first, count]) => Array.from({ length: count }, (_, i) => first + i));

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

/** Finished items, the ones that builds consist of. */
export const FINISHED_ITEMS = IDS.filter((id) => id >= 3001 && id < 3065);

export const LISTED_ITEMS = ITEMS.toReversed();
export const DETAILED_ITEMS = ITEMS.slice(0, DETAILED).toReversed();

const icon = (id: number) => image("item", id);

function metadata({ number, id }: Item, source: number, stamp: number, data: object) {
  return {
    _createdAt: stamp,
    _id: `69fdb7a5${hexDigits(16, id, source)}`,
    _updatedAt: stamp,
    data,
    id: 102_200 + number,
    sourceId: source,
  };
}

export function itemRecord(item: Item, lang: Lang) {
  const data = { equipicon: icon(item.id), equipid: item.id, equipname: numberedName(item.number, lang) };
  return metadata(item, 2775075, 1778235301837, data);
}

function tipsOf({ id }: Item, lang: Lang): string {
  const { physical, magic, cost } = PHRASES[lang];
  const h = hash(id, 42);
  const second = h % 2 === 0 ? `+${5 + (h % 4) * 5}% ${cost[0]}<br>` : "";
  return `+${10 + (mix(h, 1) % 12) * 10} ${(mix(h, 2) % 2 === 0 ? physical : magic)[0]}<br>${second}`;
}

export function detailedItemRecord(item: Item, lang: Lang) {
  const name = numberedName(item.number, lang);
  const skills = Array.from({ length: hash(item.id, 43) % 3 }, (_, i) => {
    return `\n<font color="FFD700">${numberedName(item.id + i, lang)}</font>: ${effectText(name, lang, hash(item.id, 44, i))}`;
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
    equiptypename: PHRASES[lang].specialities[item.type],
    targetequipid: item.targets.join(","),
  });
}
