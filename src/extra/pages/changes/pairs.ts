import { figure } from "../format.ts";
import { html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { NameHero } from "./heroes.ts";
import { isOfRank, rankName } from "./movers.ts";
import type { NightChanges } from "./read.ts";
import { type NewsSection, newsTable, numberColumn } from "./sections.ts";
import { pointSides } from "./sides.ts";

export function movedPairs(
  { matchups: { matchups } }: NightChanges,
  link: NameHero,
  linkOther: NameHero,
  context: PageContext,
): NewsSection | undefined {
  const { mirror, frame, heroes } = context.messages;
  const { changes: words } = mirror;
  const { figures } = context;
  const ofRank = matchups.filter((matchup) => isOfRank(context, matchup));
  return newsTable({
    id: "pairs",
    head: heroes.hero.opponents,
    caption: words.pairsCaption,
    columns: [
      ...[{ head: words.hero }, { head: words.otherHero }],
      ...[words.points, words.before, words.after].map(numberColumn),
      { head: frame.choices.rank },
    ],
    rows: ofRank.map((matchup) => [
      link(matchup.hero_id, matchup.name),
      linkOther(matchup.other_hero_id, matchup.other),
      figure(matchup.change, figures.writePoints),
      ...pointSides(matchup.before, matchup.after, figures),
      rankName(context, matchup.rank),
    ]),
    words,
    note: html`<p>${words.pairsNote}</p>`,
  });
}
