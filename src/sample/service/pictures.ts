/** The address of a picture that is not wrapped yet: a wrapped one has it in its query, and so ends its path before it. */
const PICTURE = /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|webp|gif|avif|bmp|svg)(?:[?#]\S*)?$/i;

/** For `JSON.stringify`: writes the address of each picture as the public upstream does since October 2026. */
export const wrapPictures = (_key: string, value: unknown) =>
  typeof value === "string" && PICTURE.test(value) ? `https://wsrv.nl/?url=${encodeURIComponent(value)}` : value;
