/** The address of a picture that is not wrapped yet: a wrapped one has it in its query, and so ends its path before it. */
const PICTURE = /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|webp|gif|avif|bmp|svg)(?:[?#]\S*)?$/i;

/** A value in which addresses of pictures are as the public upstream writes them since October 2026. */
export function wrapPictures(value: unknown): unknown {
  if (typeof value === "string")
    return PICTURE.test(value) ? `https://wsrv.nl/?url=${encodeURIComponent(value)}` : value;
  if (Array.isArray(value)) return value.map(wrapPictures);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrapPictures(inner)]));
}
