import { attributeOf, type Element, elementsOf } from "./html.ts";

/** A drawing, read back by its axes: shares of 1. */
export interface ReadChart {
  lines: { name: string; ys: number[] }[];
  dots: { x: number; y: number }[];
}

const numberOf = (element: Element | undefined, name: string) => Number(attributeOf(element, name));

/** All drawings of a page. */
export function readCharts(document: Element): ReadChart[] {
  return elementsOf(document, "svg").map((chart) => {
    const texts = elementsOf(chart, "text").filter(({ text }) => /^-?[\d.]+%$/.test(text));
    const rising = texts.filter((text) => attributeOf(text, "text-anchor") === "end");
    const lying = texts.filter((text) => attributeOf(text, "text-anchor") === "middle");
    const toY = between(rising.map((text) => [numberOf(text, "y") - 4, Number.parseFloat(text.text) / 100]));
    // Along x by the square root.
    const toX = between(lying.map((text) => [numberOf(text, "x"), Math.sqrt(Number.parseFloat(text.text) / 100)]));
    return {
      lines: elementsOf(chart, "path").map((path) => ({
        name: attributeOf(path, "class") ?? "",
        ys: [...(attributeOf(path, "d") ?? "").matchAll(/,(-?[\d.]+)/g)].map(([, y]) => toY(Number(y))),
      })),
      dots: elementsOf(chart, "circle").map((dot) => ({
        x: toX(numberOf(dot, "cx")) ** 2,
        y: toY(numberOf(dot, "cy")),
      })),
    };
  });
}

/** The scale that its first and last tick are on. */
function between(ticks: readonly (readonly [at: number, value: number])[]) {
  const [[from, low] = [0, 0], [to, high] = [1, 1]] = [ticks[0], ticks.at(-1)];
  return (at: number) => low + ((at - from) * (high - low)) / (to - from);
}
