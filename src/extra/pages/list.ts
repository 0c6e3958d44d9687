import { CHANGES } from "./changes/changes.ts";
import { DOCS } from "./docs/docs.ts";
import { HERO } from "./hero/hero.ts";
import { HEROES_PAGE } from "./heroes/heroes.ts";
import { HOME } from "./home.ts";
import { DRAFT } from "./matchups/draft.ts";
import { MATCHUPS } from "./matchups/matchups.ts";
import type { PageEntry } from "./page.ts";
import { DATA } from "./proof/data.ts";
import { COMPARE } from "./rates/compare.ts";
import { TIER_LIST } from "./rates/tier-list.ts";
import { TRENDS } from "./rates/trends.ts";
import { SQL } from "./sql/sql.ts";

/** All pages, in the order of their links. */
export const PAGES: readonly PageEntry[] = [
  HOME,
  TIER_LIST,
  HEROES_PAGE,
  TRENDS,
  MATCHUPS,
  DRAFT,
  COMPARE,
  HERO,
  CHANGES,
  DATA,
  SQL,
  DOCS,
];
