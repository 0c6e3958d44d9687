import type { Lang } from "../../../src/api/enumerations.ts";
import { share } from "./academy.ts";
import { hash } from "./draws.ts";
import { type Asked, type Game, knownHeroes } from "./game.ts";
import { heroName, note, picture, words } from "./texts.ts";

const SUBJECTS = ["3275335", "3274304", "3273273"];

function candidates(game: Game, subject: string, lang: Lang) {
  const made = knownHeroes(game).map((hero) => {
    const score_count = 100 + (hash("votes", subject, hero) % 50) + game.day;
    const score_total = Math.round(score_count * share(6, 9.8, "score", subject, hero, game.day));
    return {
      object: String(3_209_000 + hero),
      title: heroName(hero, lang),
      image: picture("candidate", hero, "jpg"),
      image_big: picture("large candidate", hero, "jpg"),
      channel: [3_168_724, 3_168_700 + hero],
      score: (score_total / score_count).toFixed(1),
      score_total,
      score_count,
      hot_comment: note("comment", subject, hero),
    };
  });
  return made.sort((a, b) => Number(b.score) - Number(a.score) || Number(a.object) - Number(b.object));
}

const question = (subject: string, lang: Lang) => ({
  title: words(lang, 8, "vote", subject),
  desc: words(lang, 15, "vote", subject),
});

export function ratingList(game: Game, { lang }: Asked) {
  const list = SUBJECTS.map((subject) => ({
    subject: Number(subject),
    ...question(subject, lang),
    comment_count: 800 + game.day,
    ranking: candidates(game, subject, lang).slice(0, 3),
  }));
  return { total: list.length, list, has_more: true };
}

export function ratingOf(game: Game, { lang, subject = "" }: Asked) {
  if (!SUBJECTS.includes(subject)) return undefined;
  const list = candidates(game, subject, lang);
  return { total: list.length, list, subject: { id: subject, ...question(subject, lang) } };
}
