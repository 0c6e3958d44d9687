import { LRUCache } from "lru-cache";
import type { Coded } from "./compress.ts";
import type { Edition } from "./edition.ts";
import { addForm, codingFor, type Page, replyPage, toKept } from "./page.ts";
import { createRecent } from "./recent.ts";
import type { Asked, Reply } from "./reply.ts";

export type Cache = ReturnType<typeof createCache>;

/** Where a URL leads: to a page of an edition. Many spellings lead to one page. */
interface Address {
  key: string;
  edition: Edition;
}

/** Beside its bytes an entry costs about so many. */
const OVERHEAD = 400;

/** Finished answers, found by the URL as it was sent; bounded by their bytes, all forms and all spellings counted. */
export function createCache(maxBytes: number) {
  const pages = new LRUCache<string, Page>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const addresses = new LRUCache<string, Address>({
    maxSize: maxBytes / 4,
    sizeCalculation: ({ key }, url) => OVERHEAD + 2 * (key.length + url.length),
  });
  const coding = new Map<string, Promise<Page>>();
  const isRecent = createRecent(maxBytes);

  /** The response to a URL that was answered before, in a form that was sent before. */
  function recall(url: string, asked: Asked): Reply | undefined {
    const address = addresses.get(url);
    const page = address && pages.get(address.key);
    return page && replyPage(page, codingFor(page, asked), address.edition, asked);
  }

  /** The response with a page of an edition; made by `produce` when it is not here. */
  function answer(
    edition: Edition,
    name: string,
    produce: () => Page,
    asked: Asked,
    url?: string,
  ): Reply | Promise<Reply> {
    const key = `${edition.version} ${name}`;
    const known = pages.get(key);
    const page = known ?? produce();
    const form = codingFor(page, asked);
    // To keep what is asked for once would only push out what is asked for often. A coded form is dear enough to keep.
    const kept = known !== undefined || form !== "identity" || isRecent(page);
    if (kept && !known) pages.set(key, toKept(page));
    if (kept && url !== undefined) addresses.set(url, { key, edition });
    return replyPage(page, form, edition, asked) ?? answerCoded(edition, key, page, form as Coded, asked);
  }

  async function answerCoded(edition: Edition, key: string, page: Page, form: Coded, asked: Asked): Promise<Reply> {
    const coded = await addOnce(key, page, form);
    return replyPage(coded, form, edition, asked) as Reply;
  }

  /** Who asks while a form is being made waits for the same one. */
  function addOnce(key: string, page: Page, form: Coded): Promise<Page> {
    const name = `${form} ${key}`;
    const begun = coding.get(name);
    if (begun) return begun;
    const made = addForm(page, form)
      .then((coded) => {
        const kept = pages.peek(key);
        if (kept) pages.set(key, { ...kept, coded: new Map([...kept.coded, ...coded.coded]) });
        return coded;
      })
      .finally(() => coding.delete(name));
    coding.set(name, made);
    return made;
  }

  return {
    recall,
    answer,
    /** URLs lead elsewhere from now on. */
    forget: () => addresses.clear(),
    bytes: () => pages.calculatedSize + addresses.calculatedSize,
  };
}

function sizeOf({ length, coded }: Page, key: string): number {
  let size = OVERHEAD + 2 * key.length + length;
  for (const bytes of coded.values()) size += bytes.length;
  return size;
}
