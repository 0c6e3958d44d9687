import { figure } from "../format.ts";
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
  const { mirror, frame } = context.messages;
  const { changes: words } = mirror;
  const ofRank = matchups.filter((matchup) => isOfRank(context, matchup));
  const once = ofRank.filter((matchup) => !isRepeated(matchup, ofRank));
  once.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id);
  return newsTable({
    id: "pairs",
    head: words.pairs,
    caption: words.pairsCaption,
    columns: [
      ...[{ head: words.hero }, { head: words.otherHero }, numberColumn(words.points), { head: words.otherIs }],
      ...[numberColumn(words.before), numberColumn(words.after)],
      ...[{ head: frame.choices.rank }, { head: frame.choices.window }],
    ],
    rows: once.map((matchup) => [
      link(matchup.hero_id, matchup.name),
      linkOther(matchup.other_hero_id, matchup.other),
      change(matchup, context),
      matchup.source === "counters" ? words.opponent : words.teamMate,
      ...pointSides(matchup.before, matchup.after, context.figures),
      rankName(context, matchup.rank),
      windowName(context, matchup.days),
    ]),
    words,
    note: html`<p>${words.pairsNote}</p>${once.length < ofRank.length && html`<p>${words.pairsOnce}</p>`}`,
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
function change({ before, after, change: by }: Matchup, { messages, figures }: PageContext): Html {
  const { changes: words } = messages.mirror;
  if (before !== null && after !== null) return figure(by, figures.writePoints);
  const size = figures.writeSize(by);
  return figure(by, () => (by < 0 ? words.downByAtLeast({ size }) : words.upByAtLeast({ size })));
}
