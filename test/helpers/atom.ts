import { attributeOf, type Element, elementsOf, parseHtml } from "./html.ts";

const HEAD = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">`;

/** What RFC 4287 allows once in a feed and in an entry (4.1.1, 4.1.2); of links there may be several. */
const FEED = ["id", "title", "updated", "author", "generator"];
const ENTRY = ["id", "title", "updated", "summary", "content"];

interface AtomEntry {
  id: string;
  title: string;
  updated: string;
  summary: string;
  /** Its HTML. */
  content: string;
  links: { type: string | undefined; href: string }[];
}

export interface AtomFeed {
  id: string;
  self: string | undefined;
  entries: AtomEntry[];
  /** What breaks RFC 4287. */
  faults: string[];
}

const textOf = (element: Element, name: string) => element.children.find((child) => child.name === name)?.text ?? "";

/** Throws where the text is not well-formed as our documents are. */
export function parseAtom(text: string): AtomFeed {
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  expect(text.startsWith(HEAD), "another head");
  const [feed] = elementsOf(parseHtml(text.replace(HEAD, "<feed>").trimEnd()), "feed");
  if (!feed) throw new Error("no feed");
  const entries = feed.children.filter(({ name }) => name === "entry");
  const check = (element: Element, once: readonly string[]) => {
    for (const name of once)
      expect(element.children.filter((child) => child.name === name).length === 1, `not one ${name}`);
    for (const { name } of element.children)
      expect([...once, "link", "entry"].includes(name), `${name} in ${element.name}`);
    expect(
      /^(urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|https?:.+)$/.test(
        textOf(element, "id"),
      ),
      "id",
    );
    expect(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(textOf(element, "updated")), "updated is no date");
    expect(textOf(element, "title").trim() !== "", "no title");
    const links = element.children.filter(({ name }) => name === "link");
    for (const link of links)
      expect(URL.canParse(attributeOf(link, "href") ?? "", "http://mirror/changes.atom"), "href");
    const kinds = links.map((link) => `${attributeOf(link, "rel")} ${attributeOf(link, "type")}`);
    expect(new Set(kinds).size === kinds.length, "two links of one kind");
  };
  check(feed, FEED);
  const author = feed.children.find(({ name }) => name === "author");
  expect(author !== undefined && textOf(author, "name") !== "", "no name of the author");
  for (const entry of entries) check(entry, ENTRY);
  for (const { children } of entries.flatMap((entry) => elementsOf(entry, "content", "summary", "title")))
    expect(children.length === 0, "markup that is not escaped");
  const ids = entries.map((entry) => textOf(entry, "id"));
  expect(new Set(ids).size === ids.length, "two entries with one id");
  return {
    id: textOf(feed, "id"),
    self: feed.children.flatMap((link) => (attributeOf(link, "rel") === "self" ? attributeOf(link, "href") : []))[0],
    faults,
    entries: entries.map((entry) => ({
      id: textOf(entry, "id"),
      title: textOf(entry, "title"),
      updated: textOf(entry, "updated"),
      summary: textOf(entry, "summary"),
      content: textOf(entry, "content"),
      links: elementsOf(entry, "link").map((link) => ({
        type: attributeOf(link, "type"),
        href: attributeOf(link, "href") ?? "",
      })),
    })),
  };
}
