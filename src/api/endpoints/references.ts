import type { Path } from "../body/path.ts";
import type { Reference } from "../endpoint.ts";

export const HERO_NAME = "data.hero.data.name";
export const LANE_TITLES = "data.hero.data.roadsort[].data.road_sort_title";
export const ROLE_TITLES = "data.hero.data.sortid[].data.sort_title";

/** The fields in which a record of statistics says what it is about. */
export const STATISTIC = { hero: "data.main_heroid", bigrank: "data.bigrank", match_type: "data.match_type" };

/** Makes a reference to the name of the hero that a record is about, and to the portrait beside it. */
export const heroReference = (id: Path, name: Path, head?: Path): Reference => ({
  id,
  list: "heroes",
  key: "data.hero_id",
  texts: { [name]: HERO_NAME },
  ...(head && { pictures: { [head]: "data.hero.data.head" } }),
});

export const MAIN_HERO = heroReference("data.main_heroid", "data.main_hero.data.name", "data.main_hero.data.head");

/** The main hero in the academy, one level deeper than elsewhere. */
export const NESTED_MAIN_HERO = heroReference(
  "data.main_heroid",
  "data.main_hero.data.hero.data.name",
  "data.main_hero.data.hero.data.head",
);

/** A lane with its title and the publisher's note, which is another one in each language. */
export const LANE_OF_HERO: Reference = {
  at: "data.hero.data.roadsort[]",
  id: "data.road_sort_id",
  list: "positions",
  entries: "data.hero.data.roadsort[]",
  key: "data.road_sort_id",
  texts: { caption: "caption", "data.road_sort_title": "data.road_sort_title" },
};

const ROLE_EMBLEM = "data.emblem_detail.data";

/** A build names its spell and its emblem by number, and shows them as the lists of spells and of roles do. */
export const BUILD_SPELL: Reference = {
  at: "data.build[]",
  id: "skillid",
  list: "spells",
  key: "data.battleskillid",
  texts: {
    "battleskill.data.__data.skillname": "data.__data.skillname",
    "battleskill.data.__data.skilldesc": "data.__data.skilldesc",
    "battleskill.data.__data.skilldescemblem": "data.__data.skilldescemblem",
    "battleskill.data.skillshortdesc": "data.skillshortdesc",
  },
};
export const BUILD_EMBLEM: Reference = {
  at: "data.build[]",
  id: "runeid",
  list: "roles",
  key: "data.emblem_id",
  texts: {
    "emblem.data.emblemname": `${ROLE_EMBLEM}.emblemname`,
    "emblem.data.emblemattr.emblemname": `${ROLE_EMBLEM}.emblemattr.emblemname`,
    "emblem.data.emblemattr.emblemattr": `${ROLE_EMBLEM}.emblemattr.emblemattr`,
  },
};
