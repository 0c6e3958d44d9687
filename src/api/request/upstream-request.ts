import manifest from "../../../package.json" with { type: "json" };

/** The headers of every request for data: our name and address, and compressed answers. */
export const DATA_HEADERS = {
  accept: "application/json",
  "accept-encoding": "gzip",
  "user-agent": `metasnap/${manifest.version} (+${manifest.homepage})`,
};

/** Of an answer: sixteen times the largest of the service. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
