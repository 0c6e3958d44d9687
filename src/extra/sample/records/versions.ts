// The newest one is made up; the others are as published.
const VERSIONS = [
  ["2.2.16", 1026341957640192, 1783404857232],
  ["2.1.18", 967057876869504, 1759044257232],
  ["1.9.90", 899711275080960, 1750823236506],
  ["1.9.64", 831864097043456, 1742541110282],
  ["1.9.42", 769596452465600, 1734940079450],
  ["1.9.21", 722853628140801, 1729234168276],
] as const;

// Votes are opened some time after a version is recorded.
const VOTED_UNTIL = 1760000000000;

/** Newest first. */
export const VERSION_RECORDS = VERSIONS.map(([game_version, id, createdAt]) => ({
  createdAt,
  data: { game_version },
  form: { id: 2777742 },
  id,
  uin: "mlbb:0:0",
  updatedAt: Math.max(createdAt, 1759044257232),
  ...(createdAt < VOTED_UNTIL &&
    game_version !== "1.9.64" && { vote_all: { target: String(id), vote: { id: 2758890 } } }),
}));
