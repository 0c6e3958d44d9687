import type { Answer } from "./answers.ts";
import type { Attack } from "./attack.ts";
import type { Asked } from "./conversation.ts";
import { get, odd, write } from "./requests.ts";

const many = (count: number, text: string) => text.repeat(count);

/** Pieces of a path that mean something somewhere. */
const TRICKS: readonly string[] = [
  ...["..", ".", "...", "....//", "../..", "../../../../etc/passwd", "..\\..\\etc\\passwd", "..;/", "%2e", "%2e%2e"],
  ...["%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "..%5c..%5c", "%252e%252e%252f", "%c0%ae%c0%ae/", "%c0%af"],
  ...["%e0%80%af", "%f0%80%80%af", "%f8%80%80%80%af", "%u002e%u002e", "%ff", "%fe%ff", "%80", "%ed%a0%80", "%", "%2"],
  ...[
    "%zz",
    "%2f",
    "%2F%2f",
    "/",
    "//",
    "///",
    "\\",
    "%5c",
    "%00",
    "a%00b",
    "%00.json",
    "%0a",
    "%0d%0aset-cookie:%20a",
  ],
  ...["%09", "%20", "+", "%7f", ";", ";a=b", ":", "@", "~", "~root", "!", "$", "&", "=", ",", "'", '"', "`", "|", "^"],
  ...["<script>", "{}", "{hero_identifier}", "{version}", ":version", ":name", "*", "**", "(.*)", "[a-z]", "[", "%5b"],
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "then"],
  ...["%5f%5fproto%5f%5f", "%68eroes", "h%65roes", "HEROES", "Heroes", "heroes.", "heroes%2e", "heroes%20", "%48eroes"],
  ...["%EF%BC%8F", "%E2%80%8B", "%E2%80%AE", "%F0%9F%92%A9", "%C4%B0", "%EF%B7%BA", "%CC%81", "%E3%83%9F%E3%83%A4"],
  ...[
    ".env",
    ".git/config",
    ".lock",
    "latest",
    "latest.json",
    "latest.sqlite",
    "index.html",
    "nul",
    "null",
    "NaN",
    "-1",
  ],
  ...["0", "1e3", "99999999999999999999", "\u00ff\u00fe", "\u0080", "\u00c3\u00a9", "a b", "a\tb"],
  many(3000, "../"),
  many(2000, "%2e%2e/"),
  many(4000, "a/"),
  many(14_000, "/"),
  many(14_000, "x"),
  many(4500, "%41"),
  many(4500, "%zz"),
];

/** Where they are put, `@` and with the version that is served as `V`. */
const PLACES: readonly string[] = [
  "/@",
  "/@/api/heroes",
  "/api/@",
  "/api/@/heroes",
  "/api/heroes/@",
  "/api/heroes/@/stats",
  "/api/heroes@",
  "/api/academy/heroes/ratings/@",
  "/api/academy/ranks/@",
  "/api/user/auth/@",
  "/snapshots/@",
  "/snapshots/@.json",
  "/snapshots/@.sqlite",
  "/snapshots/@/api/heroes",
  "/snapshots/V/@",
  "/snapshots/V@",
  "/snapshots/V/api/heroes/@",
  "/health/@",
  "/metrics@",
];
const ENDINGS = ["", "/", "//", "?", "?x=@", "?lang=en&", "#x", "%20", "/..", "?@"];

/** What lies outside of what is served. */
function leak({ body }: Answer): string | undefined {
  return /root:[x*]?:0:0|\[core\]\s|metasnap-world/.test(body.toString("latin1", 0, 5000))
    ? "a file of the host"
    : undefined;
}

const STATUSES = [200, 204, 400, 404, 405, 422, 431, 503];
const asked = (method: string, path: string): Asked => ({ method, path, status: STATUSES, check: leak });

export const PATHS: readonly Attack[] = [
  {
    name: "paths: tricks at every place",
    together: 16,
    cases: (draw, { version }) => {
      const paths = TRICKS.flatMap((trick) =>
        PLACES.flatMap((place) =>
          ENDINGS.map((ending) => (place + ending).replaceAll("@", trick).replace("V", version)),
        ),
      );
      return draw
        .some(paths, 600)
        .filter((path) => path.length < 15_000)
        .map((path) => odd(`GET ${path}`, get(path), asked("GET", path)));
    },
  },
  {
    name: "paths: other methods",
    together: 16,
    cases: (draw, { version }) => {
      const paths = TRICKS.flatMap((trick) => PLACES.map((place) => place.replace("@", trick).replace("V", version)));
      return draw.some(paths, 150).flatMap((path) => {
        const method = draw.pick(["HEAD", "OPTIONS", "POST", "DELETE"]);
        return path.length < 15_000 ? [odd(`${method} ${path}`, write(method, path), asked(method, path))] : [];
      });
    },
  },
];
