import { element } from "../dom/elements.ts";

/** A sentence of the page with what stands in braces put in; names keep their direction. */
export const fillIn = (sentence: string, parts: Readonly<Record<string, string>>): (Node | string)[] =>
  sentence.split(/\{(\w+)\}/).map((text, index) => (index % 2 === 0 ? text : element("bdi", {}, parts[text] ?? "")));
