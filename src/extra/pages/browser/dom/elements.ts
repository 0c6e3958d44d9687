import type { Html } from "../../html.ts";

/** An element with attributes; what it shows is text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** The one element of the page that has this id. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`);
  return node;
}

/** Makes nodes of a template. Its texts are escaped, as on the server. */
export function toNodes({ text }: Html): DocumentFragment {
  const made = document.createElement("template");
  made.innerHTML = text;
  return made.content;
}
