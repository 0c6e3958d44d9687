import type { Lang } from "../../../api/enumerations.ts";
import type { World } from "../numbers/calendar.ts";
import { hash, mix, pickFromRing } from "../numbers/hash.ts";
import { fillTemplate, PHRASES } from "../phrases.ts";
import { HEROES, type Hero, heroName, image } from "../roster.ts";
import { numberedName } from "./texts.ts";

const FIRST_SUBJECT = 3275335;
const MAX_SUBJECTS = 12;
const CANDIDATES = 20;
const LEADERS = 3;

/** Lists subjects, the newest first; a small roster has few votes. */
const subjectsOf = ({ heroes }: World) =>
  Array.from({ length: Math.min(MAX_SUBJECTS, Math.ceil(heroes / 11)) }, (_, i) => FIRST_SUBJECT - i * 1031);

const textsOf = (subject: number, lang: Lang) => {
  const { stories, combos } = PHRASES[lang];
  const hero = numberedName(subject % 97, lang);
  return {
    title: fillTemplate(pickFromRing(stories, subject), { h: hero }),
    desc: combos.map(([, desc = ""]) => fillTemplate(desc, { h: hero, 1: hero, 2: hero, 3: hero })).join(" "),
  };
};

// Real votes change at any time of the day; these are constant, so that two crawls can be compared.
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
    hot_comment: numberedName(h % 120, lang),
  };
}

/** Ranks the candidates of a vote, the best first. */
function ranking(world: World, subject: number, lang: Lang) {
  const first = hash(subject, 96);
  const heroes = HEROES.slice(0, world.heroes);
  const chosen = new Set(Array.from({ length: CANDIDATES }, (_, i) => pickFromRing(heroes, first + i * 7)));
  const candidates = [...chosen].map((hero) => candidate(world, subject, hero, lang));
  return candidates.sort((a, b) => Number(b.score) - Number(a.score) || Number(a.object) - Number(b.object));
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

/** Returns the rating of a subject; undefined if it is not in the list. */
export function rating(world: World, subject: string, lang: Lang) {
  const id = subjectsOf(world).find((number) => String(number) === subject);
  if (id === undefined) return undefined;
  const list = ranking(world, id, lang);
  return { total: list.length, list, subject: { id: subject, ...textsOf(id, lang) } };
}
