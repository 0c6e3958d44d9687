/** Fields of the records that no typed column has, on purpose. They are in the archive, like everything that was sent. */
export interface LeftOut {
  /** Endpoints; none: all. */
  datasets: readonly string[];
  /** From the root with `$.`; else the end of a path. */
  paths: readonly string[];
  reason: string;
}

const STORE = ["_id", "caption", "configId", "createdUser", "updatedUser", "linkId[]", "sort", "dynamic", "_object"];
const PLACE = ["id", "createdAt", "updatedAt"].flatMap((field) => [`roadsort[].${field}`, `sortid[].${field}`]);
const LABELS = ["roadsortlabel[]", "roadsorticon1", "roadsorticon2", "sortlabel[]", "sorticon1", "sorticon2"];

export const LEFT_OUT: readonly LeftOut[] = [
  { datasets: [], paths: STORE, reason: "Bookkeeping of the publisher's content store." },
  { datasets: [], paths: PLACE, reason: "The record of a lane or role, not of the hero." },
  { datasets: [], paths: ["roadsort[]", "sortid[]"], reason: "An empty text in an empty place." },
  { datasets: ["hero"], paths: ["target_hero[]"], reason: "A 0 in an empty place." },
  { datasets: ["hero"], paths: LABELS, reason: "Says lanes and roles again, and may be empty where there are some." },
  { datasets: ["hero"], paths: ["recommendlevel[]"], reason: "The parts of `skill_levels`." },
  { datasets: ["hero"], paths: ["heroskin"], reason: "Always null." },
  {
    datasets: ["rank", "stats", "counters", "compatibility"],
    paths: ["$.data.main_hero.data.head", "$.data.sub_hero[].hero.data.head", "$.data.sub_hero_last[].hero.data.head"],
    reason: "Portrait of a hero, as in `hero`; it changes with every release of the game.",
  },
  { datasets: ["hero"], paths: ["target_hero[].data.head"], reason: "Portrait of another hero, as in `hero`." },
  { datasets: ["positions"], paths: ["$.id"], reason: "Id of the entry in the list, which nothing refers to." },
  {
    datasets: ["versions"],
    paths: ["uin", "form.id", "vote_all.vote.id", "vote_all.target"],
    reason: "User, form and vote of the publisher's site.",
  },
];

/** Why a field of an endpoint is in no typed column; nothing when it should be in one. The path starts with `$.`. */
export function whyLeftOut(dataset: string, path: string): string | undefined {
  const ends = (end: string) => path === end || (!end.startsWith("$") && path.endsWith(`.${end}`));
  return LEFT_OUT.find(
    ({ datasets, paths }) => (datasets.length === 0 || datasets.includes(dataset)) && paths.some(ends),
  )?.reason;
}
