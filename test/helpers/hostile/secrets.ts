import type { Attack } from "./attack.ts";
import { get, HOST, odd, withBody, write } from "./requests.ts";

/** In no line of a log and in no figure, wherever a client puts it. */
export const SECRET = "hushhush";

const CHUNKED = "transfer-encoding: chunked\r\n";
const body = `{"role_id":1,"zone_id":2,"vc":"${SECRET}"}`;
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`;

/** Ways to write the path of a login, or what a person may take for one. */
const SPELLINGS = [
  "/api/user/auth/login",
  "/api/user/auth/login/",
  "/api/user/auth/login//",
  "/api/user/auth/send-vc",
  "/api/user/auth/logout",
  "/api/%75ser/auth/login",
  "/api/user/%61uth/login",
  "/api/user/auth/%6cogin",
  "/%61pi/user/auth/login",
  "/api/%55ser/auth/login",
  "/api/%75%73%65%72/%61%75%74%68/%6c%6f%67%69%6e",
  "/api/%2575ser/auth/login",
  "//api/user/auth/login",
  "/api//user/auth/login",
  "/api/user//auth///login",
  "/./api/user/auth/login",
  "/api/./user/auth/login",
  "/api/../api/user/auth/login",
  "/api/x/%2e%2e/user/auth/login",
  "/api/heroes/../user/auth/login",
  "/API/user/auth/login",
  "/api/USER/auth/login",
  "/Api/User/Auth/Login",
  "/api/user%2fauth%2flogin",
  "/api%2fuser/auth/login",
  "/api/user/auth%5clogin",
  "/api\\user\\auth\\login",
  "/api/user;a=b/auth/login",
  "/api/user/auth/login;a=b",
  "/api/user/auth/login%00",
  "/api/user/auth/login%20",
  "/api/user/auth/login.json",
  "/api/us%65r/auth/login%3f",
  "/api/user/login",
  "/api/auth/login",
  "/user/auth/login",
  "/auth/login",
  "/login",
  "/snapshots/latest/api/user/auth/login",
  "/snapshots/x/api/%75ser/auth/login",
  "http://x/api/user/auth/login",
  "http://x/api/%75ser/auth/login",
  "HTTP://user@x/api/./user/auth/login",
];

/** The places of a request where a secret may stand. */
const HIDINGS: readonly ((path: string, secret: string) => string)[] = [
  (path, secret) => withBody("POST", `${path}?vc=${secret}`, body, "content-type: application/json\r\n"),
  (path, secret) => withBody("POST", `${path}?a=b&code=${secret}&x=${"y".repeat(600)}`, body),
  (path, secret) => withBody("POST", `${path}/${secret}`, body),
  (path, secret) =>
    withBody("POST", `${path}?${secret}`, body, `authorization: Bearer ${secret}\r\ncookie: a=${secret}\r\n`),
  (path, secret) => get(`${path}?vc=${secret}`),
  (path, secret) => write("HEAD", `${path}?vc=${secret}`),
  (path, secret) => write("PUT", `${path}?vc=${secret}`),
  (path, secret) => write("FOO", `${path}?vc=${secret}`),
  (path, secret) => write("POST", `${path}?vc=${secret}`, CHUNKED, `${chunked}x: ${secret}\r\n\r\n`),
  (path, secret) =>
    write("POST", path, `referer: http://x/?vc=${secret}\r\n${CHUNKED}`, `5;${secret}\r\nhello\r\n0\r\n\r\n`),
  (path, secret) => write("POST", `${path}?vc=${secret}`, "content-length: 5\r\ncontent-length: 6\r\n", "hello!"),
  (path, secret) => withBody("POST", path, secret, "content-type: a\r\ncontent-type: b\r\n"),
  (path, secret) => `POST ${path} HTTP/1.1\r\n${HOST}no colon ${secret}\r\n\r\n`,
  (path, secret) => `POST ${path}?vc=${secret} HTTP/3.0\r\n${HOST}\r\n`,
];

const CASES = SPELLINGS.flatMap((path) =>
  HIDINGS.map((hide, at) => {
    const bytes = hide(path, `${SECRET}${at}`);
    const method = bytes.slice(0, bytes.indexOf(" "));
    return odd(`${method} ${path}`, bytes, { method, path });
  }),
);

export const SECRETS: readonly Attack[] = [
  {
    name: "logins: every spelling, with a secret everywhere",
    level: "debug",
    together: 16,
    cases: (draw) => draw.some(CASES, 200),
  },
];
