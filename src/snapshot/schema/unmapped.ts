/** Fields of the records that no typed column has, on purpose. They are in the archive, like everything that was sent. */
export interface UnmappedFields {
  /** Endpoints; none: all. */
  datasets: readonly string[];
  /** From the root with `$.`; else the end of a path. */
  paths: readonly string[];
  reason: string;
}

const STORE = ["_id", "caption", "configId", "createdUser", "updatedUser", "linkId[]", "sort", "dynamic", "_object"];
const PLACE = ["id", "createdAt", "updatedAt"].flatMap((field) => [`roadsort[].${field}`, `sortid[].${field}`]);
const LABELS = ["roadsortlabel[]", "roadsorticon1", "roadsorticon2", "sortlabel[]", "sorticon1", "sorticon2"];

const RECORD = ["id", "sourceId", "createdAt", "updatedAt", "_createdAt", "_updatedAt"];
const MINUTES = ["6", "6_8", "8_10", "10_12", "12_14", "14_16", "16_18", "18_20", "20"];
const PAIRED = [
  ...["heroid", "hero_index", "hero_win_rate", "hero_appearance_rate", "increase_win_rate"],
  ...MINUTES.map((span) => `min_win_rate${span}`),
];
const DAY = ["date", "win_rate", "ban_rate", "app_rate"].map((field) => `data.win_rate[].${field}`);
const PARTS = [1, 2, 3, 4, 5, 6, 7].map((number) => `equipskill${number}`);
const SPELL = ["skillname", "skilldesc", "skilldescemblem", "skillicon"].map((field) => `__data.${field}`);
const EMBLEM = ["emblemname", "attriicon", "emblemattr.emblemattr", "emblemattr.emblemname", "emblemattr.emblemattrid"];
const SHOWN = [
  ...[...SPELL, "skillshortdesc"].map((field) => `$.data.build[].battleskill.data.${field}`),
  ...EMBLEM.map((field) => `$.data.build[].emblem.data.${field}`),
];
const CANDIDATE = ["object", "title", "image", "image_big", "channel[]", "score", "score_total", "score_count"];
const LEADERS = [...CANDIDATE, "hot_comment"].map((field) => `$.list[].ranking[].${field}`);

export const UNMAPPED: readonly UnmappedFields[] = [
  { datasets: [], paths: STORE, reason: "Bookkeeping of the publisher's content store." },
  { datasets: [], paths: PLACE, reason: "Belongs to the record of a lane or role, not to the hero." },
  { datasets: [], paths: ["roadsort[]", "sortid[]"], reason: "Empty text as padding." },
  { datasets: ["hero"], paths: ["target_hero[]"], reason: "0 as padding." },
  {
    datasets: ["hero"],
    paths: LABELS,
    reason: "Repeats lanes and roles, and may be empty although the hero has some.",
  },
  { datasets: ["hero"], paths: ["recommendlevel[]"], reason: "Parts of `skill_levels`." },
  { datasets: ["hero"], paths: ["heroskin"], reason: "Always null." },
  {
    datasets: ["rank", "stats", "counters", "compatibility"],
    paths: ["$.data.main_hero.data.head", "$.data.sub_hero[].hero.data.head", "$.data.sub_hero_last[].hero.data.head"],
    reason: "Portrait of a hero, as in `hero`. It changes with every release of the game.",
  },
  { datasets: ["hero"], paths: ["target_hero[].data.head"], reason: "Portrait of another hero, as in `hero`." },
  { datasets: ["positions"], paths: ["$.id"], reason: "Id of the list's entry. Nothing refers to it." },
  {
    datasets: ["academy-stats"],
    paths: ["$.data.main_hero.data.hero.data.head", "$.data.sub_hero[].hero.data.hero.data.head"],
    reason: "Portrait of a hero, as in `hero`. It changes with every release of the game.",
  },
  {
    datasets: ["academy-stats"],
    paths: PAIRED.flatMap((field) => [`$.data.sub_hero[].${field}`, `$.data.sub_hero_last[].${field}`]),
    reason: "The academy's version of `stats`. Columns for it would only make the file larger.",
  },
  {
    datasets: ["academy-counters", "teammates"],
    paths: ["$.data.sub_hero[].hero_win_rate"],
    reason: "Win rate of the other hero, rounded to six digits. `hero_batch` has it for the same rank.",
  },
  {
    datasets: ["roles", "equipment", "equipment-expanded", "spells", "emblems", "ranks"],
    paths: RECORD.flatMap((field) => [`$.${field}`, `$.data.emblem_detail.${field}`]),
    reason: "Record of the publisher's store. Nothing refers to it.",
  },
  { datasets: ["roles"], paths: ["emblembg", "attriicon2"], reason: "Always 0 (`emblembg`) or empty (`attriicon2`)." },
  { datasets: ["equipment-expanded"], paths: PARTS, reason: "Parts of `item_text.description`." },
  {
    datasets: ["spells"],
    paths: ["$.data.skillname", "$.data.skillicon"],
    reason: "Unresolved reference of the publisher.",
  },
  { datasets: ["spells"], paths: ["skillvideo"], reason: "Always empty." },
  { datasets: ["spells", "emblems"], paths: ["skilldescemblem"], reason: "Repeats the description." },
  {
    datasets: ["emblems"],
    paths: ["numdescribe", "skilldesc_text", "skillid_lv"],
    reason: "Repeats the description, with placeholders for its numbers.",
  },
  {
    datasets: ["timeline", "builds"],
    paths: ["hero_name"],
    reason: "Note of the publisher, Chinese in all languages.",
  },
  { datasets: ["builds"], paths: SHOWN, reason: "Repeats `spell`, `spell_text`, `emblem` and `emblem_text`." },
  {
    datasets: ["academy-trends"],
    paths: [...RECORD, "data.main_heroid", "data.match_type", "data.camp_type", ...DAY].map((field) => `$.${field}`),
    reason: "The academy's version of `trends`. Columns for it would only make the file larger.",
  },
  { datasets: ["ratings"], paths: LEADERS, reason: "Repeats the first candidates of `vote_candidate`." },
  { datasets: ["ratings", "rating"], paths: ["$.total", "$.has_more"], reason: "Follows from the list." },
  { datasets: ["rating"], paths: ["channel[]"], reason: "Numbers of the publisher's site." },
  {
    datasets: ["versions"],
    paths: ["uin", "form.id", "vote_all.vote.id", "vote_all.target"],
    reason: "User, form and vote of the publisher's site.",
  },
];
