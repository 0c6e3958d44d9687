/** The pages and their words are loaded when somebody asks for them. */
import { expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import type { Pages } from "../../src/snapshot/read/shown.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { attributeOf, elementsOf, parseHtml } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { startServe } from "../helpers/served.ts";
import { world } from "../helpers/world.ts";

const HTML = { headers: { accept: "text/html" } };

const toLang = async (answer: Response) => {
  const [root] = elementsOf(parseHtml(await answer.text()), "html");
  return root && attributeOf(root, "lang");
};

test("a server that was just started answers its first people in all languages at once", async () => {
  await using served = await startServe(["--data", world.data]);
  // A machine that is busy may put somebody off.
  const ask = async (path: string): Promise<Response> => {
    const answer = await fetch(served.url + path, HTML);
    return answer.status === 503 ? ask(path) : answer;
  };
  const [missing, ...langs] = await Promise.all([
    ask("/nothing?lang=ar").then((answer) => answer.text()),
    ...LANG_CODES.map(async (lang) => toLang(await ask(`/tiers?lang=${lang}`))),
  ]);
  expect(missing).toContain(wordsIn("ar").frame.errors.noPage);
  expect(langs).toEqual(LANG_CODES.map((lang) => wordsIn(lang).language));
});

test.for(["/tiers", "/nothing"])("a snapshot may be replaced while %s waits for what is loaded", async (path) => {
  const pages = createPages({ pictures: false });
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const shown: unknown[] = [];
  const slow: Pages = {
    ...pages,
    load: () => (++asked === 1 ? loaded : undefined),
    find(request) {
      shown.push(request.snapshot);
      return pages.find(request);
    },
    describeError(refused) {
      shown.push(refused.snapshot);
      return pages.describeError(refused);
    },
  };
  await using mirror = await startWithPages(world.snapshot, slow);
  const answer = fetch(mirror.url + path, HTML);
  await expect.poll(() => asked).toBe(1);
  const next = openSnapshot(world.snapshot);
  mirror.active.swap(next);
  resolve();
  const { status } = await answer;
  expect(mirror.faults).toEqual([]);
  expect(status).toBe(path === "/tiers" ? 200 : 404);
  expect(shown).toEqual([next]);
  expect(mirror.faults).toEqual([]);
});
