import { LRUCache } from "lru-cache";

import { type Coded, isCodingBusy } from "./compress.ts";
import { isDemanding } from "./conditional.ts";
import { createDoorkeeper } from "./doorkeeper.ts";
import type { Asked, Origin, Reply } from "./reply.ts";
import { addForm, codingFor, type Page, replyPage } from "./representation.ts";

export type Cache = ReturnType<typeof createCache>;

/** A URL that was answered: its page, the edition that is from, and the route that took it. */
interface Address {
  key: string;
  edition: Origin;
  route: string;
}

const DEFAULT_BYTES = 16 * 1024 * 1024;

/** Beside its bytes an entry costs about so many. */
const OVERHEAD = 400;

/** Of the memory for answers: half is for what is kept here, a quarter for pages of the file, a quarter for earlier versions. */
const SHARES = { kept: 3 / 8, addresses: 1 / 8, served: 1 / 4, earlier: 1 / 4 };

/** What answers are made of and finished answers, the last of them found by the URL as it was sent: bounded by all their bytes. */
export function createCache(maxBytes = DEFAULT_BYTES) {
  const kept = new LRUCache<string, object>({ maxSize: Math.ceil(maxBytes * SHARES.kept) });
  const addresses = new LRUCache<string, Address>({ maxSize: Math.ceil(maxBytes * SHARES.addresses) });
  const coding = new Map<string, Promise<Page>>();
  const isAskedAgain = createDoorkeeper(kept.maxSize);

  /** What was made under this key before, or is made now; `weigh` tells its bytes. */
  function keep<T extends object>(key: string, make: () => T, weigh: (made: T) => number): T {
    const known = kept.get(key) as T | undefined;
    if (known) return known;
    const made = make();
    set(key, made, weigh(made));
    return made;
  }

  const set = (key: string, value: object, bytes: number) =>
    kept.set(key, value, { size: OVERHEAD + 2 * key.length + bytes });

  /** The response to a URL that was answered before, in a form that was sent before, and the route that took it. */
  function recall(url: string, asked: Asked): { reply: Reply; route: string } | undefined {
    const address = addresses.get(url);
    const page = address && (kept.get(address.key) as Page | undefined);
    if (!page || isDemanding(asked)) return undefined;
    const reply = replyPage(page, codingFor(page, asked), address.edition, asked);
    return reply && { reply, route: address.route };
  }

  /** The page of an edition under this key; made by `produce` when it is not here, and kept when it is asked for again. */
  function page(key: string, produce: () => Page): Page {
    const known = kept.get(key) as Page | undefined;
    if (known) return known;
    const made = produce();
    if (isAskedAgain(hashOf(made), made.plain.length)) setPage(key, made);
    return made;
  }

  /** The response with a page of an edition, found again by its URL as long as the page is kept. */
  function answer(page: Page, address: Address, asked: Asked, url: string | undefined): Reply | Promise<Reply> {
    const form = codingFor(page, asked);
    const { edition, key } = address;
    if (url !== undefined && (form !== "identity" || kept.has(key)))
      addresses.set(url, address, { size: OVERHEAD + 2 * (url.length + key.length) });
    const ready = replyPage(page, form, edition, asked);
    if (ready) return ready;
    if (isCodingBusy()) return replyPage(page, "identity", edition, asked) as Reply;
    return addOnce(key, page, form as Coded).then((coded) => replyPage(coded, form, edition, asked) as Reply);
  }

  /** Who asks while a form is being made waits for the same one. */
  function addOnce(key: string, page: Page, form: Coded): Promise<Page> {
    const name = `${form} ${key}`;
    const begun = coding.get(name);
    if (begun) return begun;
    const made = addForm(page, form)
      .then((coded) => {
        const now = (kept.peek(key) ?? coded) as Page;
        // A coded form is dear enough to keep at once.
        setPage(key, { ...now, coded: new Map([...now.coded, ...coded.coded]) });
        return coded;
      })
      .finally(() => coding.delete(name));
    coding.set(name, made);
    return made;
  }

  const setPage = (key: string, page: Page) => set(key, page, bytesOf(page));

  return {
    /** Bytes for pages of the file that is served, and of all earlier ones that are open. */
    pageBytes: { served: maxBytes * SHARES.served, earlier: maxBytes * SHARES.earlier },
    keep,
    recall,
    page,
    answer,
    /** URLs lead elsewhere from now on. */
    forget: () => addresses.clear(),
    bytes: () => kept.calculatedSize + addresses.calculatedSize,
  };
}

/** The tag is a hash of what names the bytes. */
const hashOf = ({ tag }: Page) => Buffer.from(tag.slice(0, 6), "base64url").readUInt32LE();

function bytesOf({ plain, coded }: Page): number {
  let bytes = plain.length;
  for (const form of coded.values()) bytes += form.length;
  return bytes;
}
