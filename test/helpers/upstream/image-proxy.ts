/** The prefix that the upstream puts before the addresses of its pictures, when its operator likes. */
export const PROXY = "https://wsrv.nl/?url=";

const PICTURE = /^https?:\/\/[^?#]+\.(?:png|jpe?g|webp|gif|avif|bmp|svg)(?:[?#]|$)/i;

/** An address behind the proxy; another text, and one that is behind it already, as it is. */
export const wrap = (text: string): string =>
  PICTURE.test(text) && !text.startsWith(PROXY) ? PROXY + encodeURIComponent(text) : text;

/** JSON with all pictures behind the proxy. */
export const wrapAll = (json: string): string =>
  JSON.stringify(JSON.parse(json, (_, value) => (typeof value === "string" ? wrap(value) : value)));
