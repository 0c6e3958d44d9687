import type { ServerResponse } from "node:http";
import type { Random } from "../random.ts";
import { changeAll, raise, retire, reword } from "../upstream/changes.ts";
import { startUpstream } from "../upstream/upstream.ts";

/** What the game is like; two nights of equal states hold the same data. */
interface Game {
  day: number;
  heroes: number;
  /** Which wording a story has. */
  story: number;
  /** An item is in the game, or retired. */
  item: boolean;
  /** Which win rate the second hero has. */
  rate: number;
}

export const FIRST: Game = { day: 0, heroes: 4, story: 0, item: true, rate: 0 };

/** Something is different on the same day, and most of it has been so before. */
export function change(random: Random, game: Game): Game {
  const changes: (() => Partial<Game>)[] = [
    () => ({ heroes: other(random, [3, 4, 5], game.heroes) }),
    () => ({ story: other(random, [0, 1, 2], game.story) }),
    () => ({ item: !game.item }),
    () => ({ rate: other(random, [0, 1, 2], game.rate) }),
  ];
  const drawn = random.shuffle(changes).slice(0, 1 + random.below(changes.length));
  return Object.assign({ ...game }, ...drawn.map((make) => make()));
}

const other = <T>(random: Random, all: readonly T[], now: T) => random.pick(all.filter((one) => one !== now));

const STORIES = ["", "Once more:", "Einmal noch:"];
const RAISES = [0, 0.11, -0.09];

/**
 * Answers that may fail, all of them of heroes that never leave: what a night lacks of them is a gap, and nothing of it is
 * gone at the same time.
 */
export const FRAGILE = [
  /^\/api\/heroes\/1\/counters\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/2\/counters\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/2\/compatibility\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/1\?(?:.*&)?lang=de\b/,
  /^\/api\/heroes\/2\?(?:.*&)?lang=de\b/,
  /^\/api\/heroes\/1\/relations\?(?:.*&)?lang=en\b/,
];

function changesOf({ story, item, rate }: Game) {
  const word = STORIES[story] ?? "";
  return changeAll(reword({ en: word, de: word }), ...(item ? [] : [retire]), raise(2, RAISES[rate] ?? 0));
}

/** The embedded upstream in a state that can be set, with answers that can be made to fail. */
export async function startGame(game: Game) {
  let failing: readonly RegExp[] = [];
  let changes = changesOf(game);
  const refused = new Set<string>();
  const refuse = (path: string, response: ServerResponse) => {
    if (!failing.some((pattern) => pattern.test(path))) return false;
    refused.add(path);
    response.writeHead(500, { "content-type": "application/json" }).end("{}");
    return true;
  };
  const upstream = await startUpstream(
    game.heroes,
    (req, res) => refuse(req.url ?? "", res),
    (path, body) => changes(path, body),
  );
  return {
    url: upstream.url,
    set(next: Game, patterns: readonly RegExp[] = []) {
      changes = changesOf(next);
      failing = patterns;
      refused.clear();
      upstream.sample.set({ day: next.day, heroes: next.heroes });
    },
    /** What was asked for and failed since then. */
    refused,
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
