import type { Lang } from "../../api/enumerations.ts";
import type { World } from "../numbers/calendar.ts";
import { hash, mix, pick } from "../numbers/hash.ts";
import { HEROES, type Hero, heroName, image } from "../roster.ts";
import { fill, WORDS } from "../words.ts";
import { nameOf } from "./texts.ts";

const FIRST_SUBJECT = 3275335;
const COUNT = 12;
const CANDIDATES = 20;
const LEADERS = 3;

/** A small roster has few votes, the newest ones first. */
const subjectsOf = ({ heroes }: World) =>
  Array.from({ length: Math.min(COUNT, Math.ceil(heroes / 11)) }, (_, i) => FIRST_SUBJECT - i * 1031);

const textsOf = (subject: number, lang: Lang) => {
  const { stories, combos } = WORDS[lang];
  const hero = nameOf(subject % 97, lang);
  return {
    title: fill(pick(stories, subject), { h: hero }),
    desc: combos.map(([, desc = ""]) => fill(desc, { h: hero, 1: hero, 2: hero, 3: hero })).join(" "),
  };
};

// Votes go on at any time, not by the day: here nobody votes, so that two crawls can be compared.
function candidate(world: World, subject: number, { id }: Hero, lang: Lang) {
  const h = hash(world.seed, subject, id, 95);
  const score_count = 40 + (h % 400);
  const score_total = Math.round(score_count * (6 + (mix(h, 1) % 36) / 10));
  return {
    object: String(3_209_000 + id),
    title: heroName(HEROES[id - 1] as Hero, lang),
    image: image("rated", id, "web/gms/image/", "jpg"),
    image_big: image("rated big", id, "web/gms/image/", "jpg"),
    channel: [3_168_724, 3_168_700 + id],
    score: (score_total / score_count).toFixed(1),
    score_total,
    score_count,
    hot_comment: nameOf(h % 120, lang),
  };
}

/** The candidates of a vote, the best first. */
function ranking(world: World, subject: number, lang: Lang) {
  const first = hash(subject, 96);
  const heroes = HEROES.slice(0, world.heroes);
  const chosen = new Set(Array.from({ length: CANDIDATES }, (_, i) => pick(heroes, first + i * 7)));
  const found = [...chosen].map((hero) => candidate(world, subject, hero, lang));
  return found.sort((a, b) => Number(b.score) - Number(a.score) || Number(a.object) - Number(b.object));
}

export function ratingList(world: World, lang: Lang) {
  const list = subjectsOf(world).map((subject) => ({
    subject,
    ...textsOf(subject, lang),
    comment_count: 100 + (hash(subject) % 900),
    ranking: ranking(world, subject, lang).slice(0, LEADERS),
  }));
  return { total: list.length, list, has_more: true };
}

/** Nothing for a subject that is not in the list. */
export function rating(world: World, subject: string, lang: Lang) {
  const id = subjectsOf(world).find((one) => String(one) === subject);
  if (id === undefined) return undefined;
  const list = ranking(world, id, lang);
  return { total: list.length, list, subject: { id: subject, ...textsOf(id, lang) } };
}
