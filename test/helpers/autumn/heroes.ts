import { LANES, type Lang, ROLES } from "../../../src/api/enumerations.ts";
import { hash, upTo } from "./draws.ts";
import { channelOf, type Game, knownHeroes, lanesOf, lastChange, oldStamp, rolesOf } from "./game.ts";
import { heroName, note, picture, words } from "./texts.ts";

/** What the publisher's store of texts adds to a record. */
export const meta = (id: number, kind: string, source: number) => ({
  _id: `6685${hash(kind, id).toString(16).padStart(8, "0")}`,
  caption: note(kind, id),
  configId: 144237,
  createdAt: oldStamp(kind, id),
  createdUser: "editor",
  id,
  linkId: [source],
  sort: 0,
  updatedAt: oldStamp(kind, id) + 1000,
  updatedUser: "editor",
});

const laneRecord = (id: string, lang: Lang) => {
  const [place, source] = [LANES.findIndex((lane) => lane.id === id), 2_732_073];
  const data = {
    _object: source,
    road_sort_icon: picture("lane", place, "svg"),
    road_sort_id: id,
    road_sort_title: words(lang, 1, "lane", id),
  };
  // The note on a lane is another one in each language.
  return { ...meta(2_732_079 + place, "lane", source), caption: words(lang, 2, "note on a lane", id), data };
};

const roleRecord = (id: string, lang: Lang) => {
  const [place, source] = [ROLES.findIndex((role) => role.id === id), 2_740_651];
  const data = {
    _object: source,
    sort_icon: picture("role", place),
    sort_id: id,
    sort_title: words(lang, 1, "role", id),
  };
  return { ...meta(2_740_657 + place, "role", source), data };
};

/** Two places, an empty one is "". */
const padded = <T>([first, second]: readonly T[]) => [first ?? "", second ?? ""];
export const roadsort = (hero: number, lang: Lang) => padded(lanesOf(hero).map((id) => laneRecord(id, lang)));
const sortid = (hero: number, lang: Lang) => padded(rolesOf(hero).map((id) => roleRecord(id, lang)));

const KINDS = ["assist", "strong", "weak"] as const;

/** Three places of the first five heroes, so that a new one changes nobody's; 0 is an empty one. */
function targetsOf(game: Game, kind: string, hero: number): number[] {
  const known = knownHeroes(game);
  const first = hash(kind, hero) % 5;
  const targets = [first, first + 1].map((at) => 1 + (at % 5));
  return [...targets, 0].map((id) => (id !== hero && known.includes(id) ? id : 0));
}

const relation = (game: Game, hero: number) =>
  Object.fromEntries(KINDS.map((kind) => [kind, { target_hero_id: targetsOf(game, kind, hero) }]));

export const listRecord = (game: Game, hero: number, lang: Lang) => ({
  data: {
    hero: { data: { head: picture("head", hero), name: heroName(hero, lang), smallmap: picture("map", hero) } },
    hero_id: hero,
    relation: relation(game, hero),
  },
});

export const positionRecord = (game: Game, hero: number, lang: Lang) => ({
  data: {
    hero: {
      data: {
        name: heroName(hero, lang),
        roadsort: roadsort(hero, lang),
        smallmap: picture("map", hero),
        sortid: sortid(hero, lang),
      },
    },
    hero_id: hero,
    relation: relation(game, hero),
  },
  id: channelOf(hero),
});

export const relationRecord = (game: Game, hero: number, lang: Lang) => ({
  data: { hero: { data: { name: heroName(hero, lang) } }, hero_id: hero, relation: relation(game, hero) },
});

const SKILLS = [1, 2, 3, 4] as const;
const skillId = (hero: number, slot: number) => hero * 100 + slot * 10;

function skillRecord(hero: number, slot: number, change: number, lang: Lang) {
  const id = skillId(hero, slot);
  return {
    "skillcd&cost": slot === 4 ? "" : `CD: ${5 + slot}.5   Mana Cost: ${40 + slot * 10}`,
    skilldesc: `${words(lang, 4, "skill", id, change)} <font color="a6aafb">${words(lang, 1, "skill", id)}</font>`,
    skillicon: picture("skill", id),
    skillid: id,
    skillname: words(lang, 2, "skill", id),
    skilltag: [{ tagid: 31 + slot, tagname: words(lang, 1, "tag", slot), tagrgb: "199,121,85" }],
    skillvideo: slot === 3 ? `https://pictures.example/web/skill/${id}.mp4` : "",
  };
}

export function detailRecord(game: Game, hero: number, lang: Lang) {
  const change = lastChange(game, hero);
  const text = (count: number, kind: string) => words(lang, count, kind, hero, change);
  const titles = (kind: string, ids: readonly string[]) => padded(ids.map((id) => words(lang, 1, kind, id)));
  const own = {
    abilityshow: ["20", "100", "40", "50"],
    difficulty: "50",
    head: picture("head", hero),
    heroid: hero,
    heroskilllist: [
      { skilllist: SKILLS.map((slot) => skillRecord(hero, slot, change, lang)), skilllistid: `${hero}1` },
    ],
    name: heroName(hero, lang),
    painting: picture("painting", hero),
    recommendlevel: ["3", "1", "2"],
    recommendlevellabel: "3-1-2",
    recommendmasterplan: [],
    roadsort: roadsort(hero, lang),
    roadsortlabel: titles("lane", lanesOf(hero)),
    smallmap: picture("map", hero),
    sortid: sortid(hero, lang),
    sortlabel: titles("role", rolesOf(hero)),
    speciality: [text(1, "speciality"), words(lang, 1, "speciality")],
    squarehead: picture("square", hero),
    squareheadbig: picture("large square", hero, "jpg"),
    story: text(9, "story"),
    tale: hero % 2 === 0 ? words(lang, 7, "tale", hero) : "",
  };
  const shown = (kind: string) => {
    const ids = targetsOf(game, kind, hero);
    const heads = ids.map((id) => (id === 0 ? 0 : { data: { head: picture("head", id) } }));
    return { desc: words(lang, 6, kind, hero), target_hero: heads, target_hero_id: ids };
  };
  return {
    ...meta(channelOf(hero), "hero", 2_667_538),
    data: {
      _object: 2_667_538,
      head: picture("card", hero),
      head_big: picture("large card", hero, "jpg"),
      hero: {
        _createdAt: oldStamp("hero", hero),
        _id: `66ce${hash("detail", hero).toString(16)}`,
        _updatedAt: oldStamp("detail", hero),
        data: own,
        id: 100_400 + hero,
        sourceId: 2_756_563,
      },
      hero_id: hero,
      ...(hero % 2 === 0 && { painting: picture("poster", hero, "webp") }),
      relation: Object.fromEntries(KINDS.map((kind) => [kind, shown(kind)])),
      url: `https://game.example/lore/${hero}`,
    },
  };
}

export const comboRecords = (hero: number, lang: Lang) =>
  upTo(2).map((number) => {
    const id = 2_694_000 + hero * 10 + number;
    const step = (slot: number) => ({
      _createdAt: oldStamp("step", hero),
      _updatedAt: oldStamp("step", hero, slot),
      data: { skillicon: picture("skill", skillId(hero, slot)), skillid: skillId(hero, slot) },
      id: 109_000 + hero * 10 + slot,
      sourceId: 2_674_712,
    });
    const texts = { desc: words(lang, 7, "combo", id), title: words(lang, 2, "combo", id) };
    const data = { _object: 2_684_183, hero_id: hero, skill_id: [number, number + 1, 1].map(step), ...texts };
    return { ...meta(id, "combo", 2_684_183), data };
  });

export const academyHeroRecord = (hero: number, lang: Lang) => ({
  data: { head: picture("card", hero, "jpg"), hero: { data: { name: heroName(hero, lang) } }, hero_id: hero },
});

export const laneOfHeroRecord = (hero: number, lang: Lang) => ({
  data: { hero: { data: { roadsort: roadsort(hero, lang) } }, hero_id: hero },
});

export const catalogRecord = (hero: number, lang: Lang) => ({
  data: {
    head: picture("card", hero, "jpg"),
    head_big: picture("large card", hero, "jpg"),
    hero: { data: { name: heroName(hero, lang), roadsort: roadsort(hero, lang) } },
    hero_id: hero,
    painting: picture("poster", hero, "webp"),
  },
});
