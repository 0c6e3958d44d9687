import type { Lang, Rank } from "../../../src/api/enumerations.ts";
import { LANES, ROLES } from "../../../src/api/enumerations.ts";
import { fraction, hash, pick, rate, upTo } from "./draws.ts";

/** What the game and its service are like at a moment. */
export interface Game {
  /** Of October 2026. All numbers change with it, and nothing else. */
  day: number;
  /** How many the list of heroes has, of the ids 1, 2, 3 …. */
  heroes: number;
  /** Ids that only the list of heroes has. */
  unresolved: readonly number[];
  /** Versions of the game since the first day: each adds one to the list of versions and changes some texts. */
  patch: number;
  pictures: "plain" | "wsrv";
}

/** The parameters of a request that select data, as far as its endpoint has them. `days` is also the length of a trend. */
export interface Slice {
  dataset: string;
  hero?: number;
  subject?: string;
  lane?: string;
  rank?: Rank;
  days?: string;
  lang: Lang;
}

/** The same with what stands for those that the endpoint does not have. */
export type Asked = Slice & Required<Pick<Slice, "rank" | "days">>;

const DAY_MS = 86_400_000;

export const midnight = (day: number) => Date.UTC(2026, 9, day);
export const dateOf = (day: number) => new Date(midnight(day)).toISOString().slice(0, 10);

export const dayOf = (time: string) => Math.floor((Date.parse(time) - midnight(0)) / DAY_MS);

/** The clock of a night, for `SOURCE_DATE_EPOCH`. */
export const clockOf = (day: number, hour = 4) => String(midnight(day) / 1000 + hour * 3600);

/** When a batch was made: in the first hours of the day. */
export const stampOf = ({ day }: Game, ...batch: readonly string[]) =>
  midnight(day) + 3_600_000 + (hash(...batch) % 3_600_000);

/** The stamp of what does not change: of a day long ago. */
export const oldStamp = (...thing: readonly (string | number)[]) => midnight(0) - (1 + (hash(...thing) % 400)) * DAY_MS;

/** The heroes that the whole service knows. */
export const knownHeroes = ({ heroes, unresolved }: Game) => upTo(heroes).filter((id) => !unresolved.includes(id));

/** The last version that changed the texts of something, each a third of all. */
export function lastChange({ patch }: Game, id: number): number {
  for (let last = patch; last > 0; last -= 1) if ((id + last) % 3 === 0) return last;
  return 0;
}

/** Ids as records carry them. */
export const lanesOf = (id: number): string[] => {
  const own = pick(LANES, "lane", id).id;
  const [other = own] = LANES.filter((lane) => lane.id !== own).map((lane) => lane.id);
  return id % 3 === 0 ? [own, other] : [own];
};
export const rolesOf = (id: number): string[] => {
  const own = pick(ROLES, "role", id).id;
  const [other = own] = ROLES.filter((role) => role.id !== own).map((role) => role.id);
  return id % 4 === 0 ? [own, other] : [own];
};

export const channelOf = (id: number) => 2_678_736 + id;

/** The rates of a hero in a rank and window. */
export function ratesOf({ day }: Game, rank: Rank, days: string, id: number) {
  const salt = ["rates", day, rank, days, id];
  return {
    win: rate(0.42, 0.58, "win", ...salt),
    ban: rate(0, 0.9, "ban", ...salt),
    appearance: rate(0.0005, 0.03, "appearance", ...salt),
  };
}

/** How much better a hero is against another one, or beside. */
export function gainOf({ day }: Game, side: "against" | "beside", rank: Rank, days: string, id: number, other: number) {
  const [low, high] = [Math.min(id, other), Math.max(id, other)];
  const gain = Number(((fraction(side, day, rank, days, low, high) - 0.5) / 10).toFixed(6));
  // "+ 0" turns -0 into 0.
  return (side === "against" && id > other ? -gain : gain) + 0;
}
