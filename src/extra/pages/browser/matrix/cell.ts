import type { Matrix, MatrixHero } from "./csv.ts";

/** A cell by its places in the order of the page. */
export interface Cell {
  row: number;
  column: number;
}

const PAGE = 10;

/** The cell to which a key leads, if it moves. */
export function moved({ row, column }: Cell, key: string, last: number): Cell | undefined {
  const within = (index: number) => Math.min(last, Math.max(0, index));
  switch (key) {
    case "ArrowUp":
      return { row: within(row - 1), column };
    case "ArrowDown":
      return { row: within(row + 1), column };
    case "ArrowLeft":
      return { row, column: within(column - 1) };
    case "ArrowRight":
      return { row, column: within(column + 1) };
    case "PageUp":
      return { row: within(row - PAGE), column };
    case "PageDown":
      return { row: within(row + PAGE), column };
    case "Home":
      return { row, column: 0 };
    case "End":
      return { row, column: last };
  }
  return undefined;
}

/** The pair that the address names. */
export function fromAddress(heroes: readonly MatrixHero[]): Cell | undefined {
  const [, id, other] = /^#(\d+)-(\d+)$/.exec(location.hash) ?? [];
  const [row, column] = [id, other].map((text) => heroes.findIndex((hero) => hero.id === Number(text)));
  return row === undefined || column === undefined || row < 0 || column < 0 ? undefined : { row, column };
}

/** The best cell of the hero of the page. */
export function firstCell({ heroes, values }: Matrix, id: number): Cell {
  const row = Math.max(
    0,
    heroes.findIndex((hero) => hero.id === id),
  );
  const cells = values[row] ?? [];
  const best = cells.reduce((most: number, value) => Math.max(most, value ?? most), Number.NEGATIVE_INFINITY);
  return { row, column: Math.max(0, cells.indexOf(best)) };
}
