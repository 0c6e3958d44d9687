import { createHash } from "node:crypto";

/** What the game is like on a day. */
export interface Game {
  day: number;
  heroes: number;
  /** Versions of the game that have come since the first day. */
  patch: number;
}

/** Heroes that a version of the game changes: a quarter of them, others each time. */
const isChanged = (hero: number, patch: number) => (hero + patch) % 4 === 0;

/** A hero of whom nobody knows how he does on a lane before the first new version. */
const [NEWCOMER, NEW_LANE] = [2, "roam"];

/** An answer of the sample as the game is. */
export function rewrite(game: Game, path: string, body: string): string {
  const { patch } = game;
  const [, academy, hero, route] = /^\/api\/(academy\/)?heroes\/(\d+)(\/[\w/-]+)?/.exec(path) ?? [];
  if (path.startsWith("/api/academy/meta/version")) return addVersions(body, patch);
  if (path.startsWith("/api/academy/equipment/expanded")) return reword(body, "equiptips", patch);
  if (path.startsWith("/api/academy/spells") || route === "/builds")
    return reword(withoutNewLane(game, path, body), "skilldesc", patch);
  if (hero === undefined) return body;
  const last = lastChange(Number(hero), patch);
  if (!academy && !route) return reword(body, "story", last);
  if (route === "/skill-combos") return reword(body, "desc", last);
  return withoutNewLane(game, path, body);
}

const withoutNewLane = ({ patch }: Game, path: string, body: string) =>
  patch === 0 && path.startsWith(`/api/academy/heroes/${NEWCOMER}/`) && path.includes(`lane=${NEW_LANE}&`)
    ? empty(body)
    : body;

function lastChange(hero: number, patch: number): number {
  for (let last = patch; last > 0; last -= 1) if (isChanged(hero, last)) return last;
  return 0;
}

const reword = (body: string, key: string, patch: number) =>
  patch === 0 ? body : body.replaceAll(new RegExp(`"${key}":"(?!")`, "g"), `"${key}":"${patch}: `);

interface Page {
  data: { records: object[]; total: number };
}

function edit(body: string, change: (records: object[]) => object[]): string {
  const { data, ...rest } = JSON.parse(body) as Page;
  const records = change(data.records);
  return JSON.stringify({
    ...rest,
    data: { ...data, records, total: data.total + records.length - data.records.length },
  });
}

const empty = (body: string) => edit(body, () => []);

function addVersions(body: string, patch: number): string {
  const added = Array.from({ length: patch }, (_, at) => {
    const number = patch - at;
    const id = createHash("sha256").update(`version ${number}`).digest().readUInt32BE();
    const createdAt = 1_790_000_000_000 + number;
    return { createdAt, data: { game_version: `2.3.${number}` }, form: { id: 1 }, id, uin: "", updatedAt: createdAt };
  });
  return edit(body, (records) => [...added, ...records]);
}
