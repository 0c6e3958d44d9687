/** Rank brackets. `bigrank` is the publisher's own code, which records carry as a string. */
export const RANKS = [
  { code: "all", name: "All ranks", bigrank: "101" },
  { code: "epic", name: "Epic", bigrank: "5" },
  { code: "legend", name: "Legend", bigrank: "6" },
  { code: "mythic", name: "Mythic", bigrank: "7" },
  { code: "honor", name: "Mythical Honor", bigrank: "8" },
  { code: "glory", name: "Mythical Glory and above", bigrank: "9" },
] as const;

export type Rank = (typeof RANKS)[number]["code"];

export const RANK_CODES = RANKS.map((rank) => rank.code);
