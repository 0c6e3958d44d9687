const VOID = new Set(["meta", "link", "input", "img", "br", "wbr"]);

const REFERENCES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const toPlain = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => REFERENCES[name] ?? "");

export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: Element[];
  /** All text within. */
  text: string;
}

/** The tree of a document of ours; throws where a tag, attribute or reference is not as they are written here. */
export function parseHtml(source: string): Element {
  const root: Element = { name: "#root", attributes: new Map(), children: [], text: "" };
  const open = [root];
  const tokens = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+[0-9]?(?:="[^"<]*")?)*)\s*(\/?)>|([^<]+)/gi;
  let end = 0;
  for (const token of source.matchAll(tokens)) {
    if (token.index !== end) throw new Error(`not HTML: ${source.slice(end, end + 80)}`);
    end = token.index + token[0].length;
    const [, closing, name = "", attributes = "", selfClosing, text] = token;
    if (text !== undefined) {
      if (/&(?!(amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`a bare & in ${text}`);
      const plain = toPlain(text);
      for (const one of open) one.text += plain;
    } else if (closing) {
      const last = open.pop();
      if (last?.name !== name) throw new Error(`</${name}> closes <${last?.name}>`);
    } else if (name !== "") {
      const element: Element = { name, attributes: toMap(attributes), children: [], text: "" };
      open.at(-1)?.children.push(element);
      if (!VOID.has(name) && !selfClosing) open.push(element);
    }
  }
  if (end !== source.length) throw new Error(`not HTML: ${source.slice(end, end + 80)}`);
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return root;
}

const toMap = (attributes: string) =>
  new Map(
    [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [name, toPlain(value)]),
  );

/** Finds elements of these names, or all, in the order of the document. */
export function elementsOf(element: Element, ...names: string[]): Element[] {
  const found: Element[] = [];
  const collect = ({ children }: Element) => {
    for (const child of children) {
      if (names.length === 0 || names.includes(child.name)) found.push(child);
      collect(child);
    }
  };
  collect(element);
  return found;
}

export const attributeOf = (element: Element | undefined, name: string) => element?.attributes.get(name);

/** The table whose caption has these words. */
export function tableOf(document: Element, caption: string): Element {
  const found = elementsOf(document, "table").find((table) => elementsOf(table, "caption")[0]?.text.includes(caption));
  if (!found) throw new Error(`no table ${caption}`);
  return found;
}

/** Returns the cells of each row of the body. */
export const rowsOf = (table: Element): Element[][] =>
  elementsOf(table, "tbody").flatMap((body) => elementsOf(body, "tr").map((row) => elementsOf(row, "th", "td")));

/** The number in an element, as exact as the file has it. */
export const numberIn = (cell: Element | undefined) =>
  Number(attributeOf(cell && elementsOf(cell, "data")[0], "value"));

/** JSON-LD, which no browser runs. */
const isDataBlock = ({ attributes, children, text }: Element): boolean =>
  attributes.size === 1 &&
  attributes.get("type") === "application/ld+json" &&
  children.length === 0 &&
  JSON.parse(text)["@type"] === "Dataset";

/** Everything about a page of ours that makes it no good document. */
export function faultsOfDocument(document: Element): string[] {
  const [root] = elementsOf(document, "html");
  const byName = Map.groupBy(elementsOf(document), ({ name }) => name);
  const all = (...names: string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  expect(Boolean(attributeOf(root, "lang")), "no lang");
  expect(all("head").flatMap((head) => elementsOf(head, "title")).length === 1, "not one title");
  for (const name of ["h1", "main", "header", "footer"]) expect(all(name).length === 1, `${all(name).length} ${name}`);
  for (const head of all("th")) expect(head.attributes.has("scope"), `a th without scope: ${head.text}`);
  for (const table of all("table")) expect(elementsOf(table, "caption").length === 1, "a table without caption");
  const labels = new Set(all("label").map((label) => attributeOf(label, "for")));
  for (const input of all("select", "input"))
    if (attributeOf(input, "type") !== "hidden") expect(labels.has(attributeOf(input, "id")), "an input without label");
  for (const image of all("img")) expect(image.attributes.has("alt"), "an img without alt");
  for (const drawing of all("svg"))
    expect(Boolean(attributeOf(drawing, "aria-label") ?? attributeOf(drawing, "aria-hidden")), "an svg without label");
  const walk = (element: Element) => {
    const isOwn = attributeOf(element, "type") === "module" && element.children.length === 0 && element.text === "";
    const isScript = element.name === "script" && isOwn && attributeOf(element, "src")?.startsWith("/assets/");
    const isAllowed = isScript || isDataBlock(element);
    if ((element.name === "script" && !isAllowed) || element.name === "style") faults.push(`a <${element.name}>`);
    for (const name of element.attributes.keys())
      if (name === "style" || name.startsWith("on")) faults.push(`an attribute ${name}`);
    element.children.forEach(walk);
  };
  walk(document);
  const ids = all("select", "h2", "main", "input").flatMap((element) => attributeOf(element, "id") ?? []);
  expect(new Set(ids).size === ids.length, "an id twice");
  return faults;
}
