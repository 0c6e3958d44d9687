import type { Lang } from "../../api/enumerations.ts";
import { LANES, ROLES } from "../../api/enumerations.ts";
import roster from "./data/heroes.json" with { type: "json" };
import localNames from "./data/names.json" with { type: "json" };
import { hashText, hexDigits } from "./numbers/hash.ts";

export interface Hero {
  id: number;
  name: string;
  /** `sort_id`s and `road_sort_id`s, the main one first. */
  roles: readonly string[];
  lanes: readonly string[];
  /** Id of the hero's channel, which is also the id of its detail and position record. */
  channel: number;
  head: string;
}

// A hero just released may have no position yet; the service then leaves it out of `/positions`.
const WITHOUT_LANE = 131;
const WITHOUT_ROLE = 133;

// Seen in captures; the others follow two runs of ids.
const LATE_CHANNELS: Readonly<Record<number, number>> = {
  127: 2819992,
  128: 2863075,
  129: 3054554,
  130: 3131750,
  131: 3245715,
  132: 3280483,
  133: 3309114,
};

function channelOf(id: number): number {
  return LATE_CHANNELS[id] ?? (id < 4 ? 2667598 - id : 2678736 + id);
}

/** An image URL that depends only on what it shows, so that it is the same in every language and on every day. */
export function image(
  kind: string,
  id: number,
  folder = "web/svnres/img/mlbb/homepage/100_",
  extension = "png",
): string {
  return `https://akmweb.youngjoygame.com/${folder}${hexDigits(32, hashText(kind), id)}.${extension}`;
}

function idsForCodes(codes: readonly string[], table: readonly { code: string; id: string }[]): string[] {
  return codes.flatMap((code) => table.filter((entry) => entry.code === code).map((entry) => entry.id));
}

/** In the order of their ids, which are 1, 2, 3 …: a roster of N is the first N. */
export const HEROES: readonly Hero[] = roster.map(({ id, name, roles, lanes }) => ({
  id,
  name,
  roles: id === WITHOUT_ROLE ? [] : idsForCodes(roles, ROLES),
  lanes: id === WITHOUT_LANE ? [] : idsForCodes(lanes, LANES),
  channel: channelOf(id),
  head: image("head", id),
}));

const NAMES: Partial<Record<Lang, Readonly<Record<string, string>>>> = localNames;

/** Most languages in Latin script keep the English name, as the game does. */
export function heroName(hero: Hero, lang: Lang): string {
  return NAMES[lang]?.[hero.id] ?? hero.name;
}

/** The publisher's note on a hero's records: Chinese in every language. */
export function caption(hero: Hero): string {
  return heroName(hero, "zh-CN");
}
