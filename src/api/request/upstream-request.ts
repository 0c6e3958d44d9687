import manifest from "../../../package.json" with { type: "json" };

/** The product of our `User-Agent`, which robots.txt may name. */
export const PRODUCT = "metasnap";

/** Makes our `User-Agent`; `contact`: the address of the operator. */
export const userAgent = (contact?: string): string =>
  `${PRODUCT}/${manifest.version}${contact === undefined ? "" : ` (+${contact})`}`;

/** Makes the headers of every request for data: our name, and compressed answers. */
export const dataHeaders = (contact?: string) => ({
  accept: "application/json",
  "accept-encoding": "gzip",
  "user-agent": userAgent(contact),
});

/** The most bytes of a body: sixteen times the largest answer of the service. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
