import type { Lang } from "../../../api/enumerations.ts";
import { hash, hexDigits, pickFromRing } from "../numbers/hash.ts";
import { fillTemplate, joinList, PHRASES } from "../phrases.ts";
import { caption, HEROES, type Hero, heroName, image } from "../roster.ts";
import { roadLabels, roadsort, sortid, sortLabels } from "./positions.ts";
import { RELATIONS, type Relation, targetsOf } from "./relations.ts";
import { skillList } from "./skills.ts";

const OBJECT = 2667538;

// Newer heroes have a painting in the record instead of a lore page; some older ones have neither.
const FIRST_ID_WITH_PAINTING = 127;

function relation(hero: Hero, kind: Relation, lang: Lang, heroes: number) {
  const ids = targetsOf(hero.id, kind, heroes);
  const targets = ids.map((id) => HEROES[id - 1]);
  const names = targets.flatMap((target) => (target ? [heroName(target, lang)] : []));
  const template = pickFromRing(PHRASES[lang][kind], hash(hero.id, 20));
  return {
    desc: fillTemplate(template, { h: heroName(hero, lang), t: joinList(names, PHRASES[lang].join) }),
    target_hero: targets.map((target) => (target ? { data: { head: target.head } } : 0)),
    target_hero_id: ids,
  };
}

function recommendedLevels(hero: number): string[] {
  const order = pickFromRing(
    [
      ["3", "1", "2"],
      ["3", "2", "1"],
      ["4", "1", "3", "2"],
    ],
    hash(hero, 21),
  );
  return hero % 11 === 1 ? ["3", "1", "2", "0", "1/2"] : order;
}

function icons(kind: string, ids: readonly string[]): [string, string] {
  const icon = (id: string | undefined) => (id ? image(kind, Number(id)) : "");
  return [icon(ids[0]), icon(ids[1])];
}

function heroData(hero: Hero, lang: Lang) {
  const { id } = hero;
  const words = PHRASES[lang];
  const painted = id >= FIRST_ID_WITH_PAINTING;
  const square = (kind: string) => (painted ? "" : image(kind, id, "web/svnres/file/mlbb/homepage/100_", "jpg"));
  const ability = (slot: number) => String(10 + (hash(id, 22, slot) % 10) * 10);
  const levels = recommendedLevels(id);
  const [roadsorticon1, roadsorticon2] = icons("lane", hero.lanes);
  const [sorticon1, sorticon2] = icons("role", hero.roles);
  const speciality = hash(id, 23);
  return {
    abilityshow: [0, 1, 2, 3].map(ability),
    difficulty: ability(3),
    head: hero.head,
    heroid: id,
    heroskilllist: skillList(hero, lang),
    heroskin: null,
    name: heroName(hero, lang),
    painting: painted ? "" : image("painting", id),
    recommendlevel: levels,
    recommendlevellabel: levels.join("-"),
    recommendmasterplan: [],
    roadsort: roadsort(hero, lang),
    roadsorticon1,
    roadsorticon2,
    roadsortlabel: roadLabels(hero, lang),
    smallmap: image("map", id),
    sorticon1,
    sorticon2,
    sortid: sortid(hero, lang),
    sortlabel: sortLabels(hero, lang),
    speciality: [pickFromRing(words.specialities, speciality), pickFromRing(words.specialities, speciality + 1)],
    squarehead: square("square"),
    squareheadbig: square("big square"),
    story: pickFromRing(words.stories, hash(id, 24)),
    tale: "",
  };
}

export function detailRecord(hero: Hero, lang: Lang, heroes: number) {
  const { id } = hero;
  const painted = id >= FIRST_ID_WITH_PAINTING;
  const page = `https://play.mobilelegends.com/lore/hero/${hero.name.replace(/[^A-Za-z]/g, "")}`;
  return {
    _id: `65b1f90d${hexDigits(16, id, 25)}`,
    caption: `${String(id).padStart(3, "0")}${caption(hero)}`,
    configId: 144237,
    createdAt: 1706162445836 + id * 86_400_000,
    createdUser: "nickjin",
    data: {
      _object: OBJECT,
      head: image("card", id, "web/gms/image/", "jpg"),
      head_big: image("big card", id, "web/gms/image/", "jpg"),
      hero: {
        _createdAt: 1724837697935,
        _id: `66ceef41${hexDigits(16, id, 26)}`,
        _updatedAt: 1758787900299,
        data: heroData(hero, lang),
        id: 100_377 + id,
        sourceId: 2756563,
      },
      hero_id: id,
      ...(painted && { painting: image("poster", id, "web/gms/image/") }),
      relation: Object.fromEntries(RELATIONS.map((kind) => [kind, relation(hero, kind, lang, heroes)])),
      ...(!painted && id % 9 !== 2 && { url: page }),
    },
    dynamic: null,
    id: hero.channel,
    linkId: [OBJECT],
    sort: 0,
    updatedAt: 1763037894023,
    updatedUser: "peelzzhu",
  };
}
