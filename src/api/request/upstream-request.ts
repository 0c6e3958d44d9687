import manifest from "../../../package.json" with { type: "json" };

/** How an upstream is asked for data, by whatever asks: honestly named, and sparing its line. */
export const DATA_HEADERS = {
  accept: "application/json",
  "accept-encoding": "gzip",
  "user-agent": `metasnap/${manifest.version} (+${manifest.homepage})`,
};

/** Bytes; sixteen times the largest answer of the service. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
