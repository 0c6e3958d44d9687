import { figure, writePoints } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { NameHero } from "./heroes.ts";
import { isOfRank, rankName, windowName } from "./movers.ts";
import type { Matchup, NightChanges } from "./read.ts";
import { type NewsSection, newsTable, numberColumn } from "./sections.ts";
import { pointSides } from "./sides.ts";

export function movedPairs(
  { matchups: { matchups } }: NightChanges,
  link: NameHero,
  linkOther: NameHero,
  context: PageContext,
): NewsSection | undefined {
  const ofRank = matchups.filter((matchup) => isOfRank(context, matchup));
  const once = ofRank.filter((matchup) => !isRepeated(matchup, ofRank));
  once.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id);
  return newsTable({
    id: "pairs",
    head: "Opponents and team mates",
    caption: "Pairs, the biggest change first",
    columns: [
      ...[{ head: "Hero" }, { head: "Other hero" }, numberColumn("Points"), { head: "The other is" }],
      ...[numberColumn("Before"), numberColumn("After"), { head: "Rank" }, { head: "Window" }],
    ],
    rows: once.map((matchup) => [
      link(matchup.hero_id, matchup.name),
      linkOther(matchup.other_hero_id, matchup.other),
      change(matchup),
      matchup.source === "counters" ? "an opponent" : "a team mate",
      ...pointSides(matchup.before, matchup.after),
      rankName(context, matchup.rank),
      windowName(context, matchup.days),
    ]),
    note: html`<p>How much better (+) or worse (−) than expected the hero does against, or with, the other one. The upstream lists only the five best and the five worst: a dash is a night on which the pair was not listed, and then only the least possible change is known.</p>${
      once.length < ofRank.length &&
      html`<p>The upstream gives team mates over one day twice, with the same numbers. They are shown once.</p>`
    }`,
  });
}

/** `stats` says without a window what `compatibility` says over one day. */
const isRepeated = (one: Matchup, all: readonly Matchup[]): boolean =>
  one.source === "stats" &&
  all.some(
    (other) =>
      other.source === "compatibility" &&
      other.days === 1 &&
      (["hero_id", "other_hero_id", "rank", "side", "before", "after"] as const).every(
        (name) => other[name] === one[name],
      ),
  );

/** Of a pair that was not listed on both nights only the least change is known. */
function change({ before, after, change: by }: Matchup): Html {
  if (before !== null && after !== null) return figure(by, writePoints);
  const size = writePoints(Math.abs(by)).replace(/^[+±]/, "");
  return figure(by, () => (by < 0 ? `down by at least ${size}` : `up by at least ${size}`));
}
