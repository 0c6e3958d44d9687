import { writePoints } from "../../format.ts";
import { element } from "../dom/elements.ts";
import type { Matrix } from "./csv.ts";
import { limitOf } from "./paint.ts";

/** What stands in the section: help, legend, the words of a cell, and the plane with canvas and crosshair. */
export function build(section: HTMLElement, matrix: Matrix, played: string) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const bar = (name: string) => element("div", { class: name });
  const [row, column, cell] = [bar("row"), bar("column"), bar("cell")];
  const label = `Matrix of ${matrix.heroes.length} heroes, each ${played} each other`;
  const words = element("p", { "aria-live": "polite", class: "words" });
  const all = element("a", { href: "" });
  const plane = element("div", { class: "plane" }, canvas, row, column, cell);
  const region = element(
    "div",
    {
      class: "wide",
      role: "application",
      dir: "ltr",
      tabindex: "0",
      "aria-label": label,
      "aria-describedby": "matrix-help",
    },
    plane,
  );
  const limit = limitOf(matrix);
  section.append(
    element(
      "p",
      { id: "matrix-help" },
      `A row is a hero, a column the other hero: blue if the hero of the row does better ${played} it, orange if it does worse. Arrow keys move the cell, Page Up and Page Down by ten, Home and End to the ends of the row; Enter shows all of its hero.`,
    ),
    element(
      "p",
      { class: "legend", dir: "ltr" },
      `${writePoints(-limit)} points or less `,
      element("span", { class: "scale", "aria-hidden": "true" }),
      ` ${writePoints(limit)} or more; a dot: unknown`,
    ),
    element("div", { class: "told" }, words, element("p", {}, all)),
    region,
  );
  return { canvas, row, column, cell, words, all, region };
}
