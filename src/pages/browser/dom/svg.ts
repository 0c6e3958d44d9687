/** An element of a drawing; what it shows is text, never markup. */
export function drawing(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: string | readonly SVGElement[] = [],
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...(typeof inside === "string" ? [inside] : inside));
  return made;
}
