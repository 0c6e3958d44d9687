import { expect } from "vitest";
import { attributeOf, type Element, elementsOf } from "./html.ts";

const numberOf = (element: Element | undefined, name: string) => Number(attributeOf(element, name));

/** Removes the signs that keep names in their direction and values beside them. */
export const toPlainWords = (text: string | null) =>
  (text ?? "").replaceAll(/[\u2068\u2069]/g, "").replaceAll("\u00a0", " ");

/** All drawings of a page, read back by their axes: shares of 1. */
export function readCharts(document: Element) {
  const charts = elementsOf(document, "svg").filter((one) => attributeOf(one, "class") === "chart");
  return charts.map((chart) => {
    const texts = elementsOf(chart, "text").filter(({ text }) => /^-?[\d.]+%$/.test(text));
    const rising = texts.filter((text) => attributeOf(text, "text-anchor") === "end");
    const lying = texts.filter((text) => attributeOf(text, "text-anchor") === "middle");
    const paths = elementsOf(chart, "path").filter((path) =>
      /^(?:line\d|other)$/.test(attributeOf(path, "class") ?? ""),
    );
    const toY = between(rising.map((text) => [numberOf(text, "y") - 4, Number.parseFloat(text.text) / 100]));
    // Along x by the square root.
    const toX = between(lying.map((text) => [numberOf(text, "x"), Math.sqrt(Number.parseFloat(text.text) / 100)]));
    const ends = [rising[0], rising.at(-1)].map((tick) => Number.parseFloat(tick?.text ?? "") / 100);
    return {
      /** The ends of the axis that rises. */
      span: [ends[0] ?? 0, ends[1] ?? 0] as const,
      lines: paths.map((path) => ({
        name: attributeOf(path, "class") ?? "",
        ys: [...(attributeOf(path, "d") ?? "").matchAll(/,(-?[\d.]+)/g)].map(([, y]) => toY(Number(y))),
      })),
      dots: elementsOf(chart, "use").map((dot) => ({ x: toX(numberOf(dot, "x")) ** 2, y: toY(numberOf(dot, "y")) })),
      /** The words of each dot or step, part by part. */
      told: elementsOf(chart, "title").map(({ text }) => toPlainWords(text).split(" · ")),
    };
  });
}

/** Expects figures as near as a drawing has them, with tenths of its units. */
export function expectNear(drawn: readonly number[] | undefined, figures: readonly number[]) {
  expect(drawn).toHaveLength(figures.length);
  for (const [place, figure] of figures.entries()) expect(drawn?.[place]).toBeCloseTo(figure, 3);
}

/** The scale that its first and last tick are on. */
function between(ticks: readonly (readonly [at: number, value: number])[]) {
  const [[from, low] = [0, 0], [to, high] = [1, 1]] = [ticks[0], ticks.at(-1)];
  return (at: number) => low + ((at - from) * (high - low)) / (to - from);
}
