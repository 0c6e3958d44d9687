/** Whose data a snapshot holds, and where it comes from. */
export const CREDITS = {
  licence: "Data © the game's publisher; no licence is granted by this file. The code of metasnap is MIT.",
  attribution: "data through Rone Arena, https://arena.rone.dev; game data © Moonton; unofficial",
};

/** The same of made-up numbers. */
export const SAMPLE_CREDITS = {
  licence:
    "The numbers are made up and free to use; names of the game are its publisher's. The code of metasnap is MIT.",
  attribution: "made-up numbers of metasnap's sample upstream, no game data; unofficial",
};
