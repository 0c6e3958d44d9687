export const LICENCE = "Data © the game's publisher; no licence is granted by this file. The code of metasnap is MIT.";

export const ATTRIBUTION =
  "Game data by the game's publisher, collected through the public API of the upstream's maintainers, snapshot by metasnap. " +
  "Unofficial; not affiliated with or endorsed by the publisher.";
