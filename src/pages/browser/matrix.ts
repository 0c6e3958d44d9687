/** The matrix of matchups as a picture: a crosshair follows mouse, finger and arrow keys, and the chosen pair is in the address. */
import { writePoints } from "../format.ts";
import { element } from "./dom/elements.ts";
import { type Cell, firstCell, fromAddress, moved } from "./matrix/cell.ts";
import { type Matrix, type MatrixHero, readMatrix } from "./matrix/csv.ts";
import { cellSize, MARGIN, paint } from "./matrix/paint.ts";
import { build } from "./matrix/view.ts";

const section = document.querySelector<HTMLElement>("#matrix");
if (section) {
  try {
    const response = await fetch(section.dataset.source ?? "");
    if (!response.ok) throw new Error(`${response.status}`);
    show(section, readMatrix(await response.text()));
  } catch {
    section.append(element("p", { role: "status" }, "It could not be loaded. The tables below have its ends."));
  }
  section.hidden = false;
}

function show(section: HTMLElement, matrix: Matrix): void {
  const { heroes, values } = matrix;
  const { played = "against" } = section.dataset;
  const parts = build(section, matrix, played);
  const form = document.querySelector<HTMLFormElement>("form.choices");
  let size = 0;
  let chosen = fromAddress(heroes) ?? firstCell(matrix, Number(new FormData(form ?? undefined).get("hero")));

  /** The crosshair and the words of a cell. */
  function point({ row, column }: Cell): void {
    const [hero, other] = [heroes[row], heroes[column]];
    if (!hero || !other) return;
    const [left, top] = [`${MARGIN + column * size}px`, `${MARGIN + row * size}px`];
    Object.assign(parts.row.style, { top, height: `${size}px` });
    Object.assign(parts.column.style, { left, width: `${size}px` });
    Object.assign(parts.cell.style, { left, top, width: `${size}px`, height: `${size}px` });
    const value = values[row]?.[column];
    const words = value === undefined ? "unknown" : `${writePoints(value)} points`;
    const names = [hero, other].map(({ name }) => element("bdi", {}, name));
    parts.words.replaceChildren(...names.flatMap((name) => [` ${played} `, name]).slice(1), `: ${words}`);
  }

  function choose(cell: Cell): void {
    chosen = cell;
    point(cell);
    const [hero, other] = [heroes[cell.row], heroes[cell.column]];
    if (!hero || !other) return;
    parts.all.href = addressOfHero(hero);
    parts.all.replaceChildren("All of ", element("bdi", {}, hero.name));
  }

  /** Browsers bear only some changes of the address in a time, so not with each repeated key. */
  function keep(): void {
    const fragment = `#${heroes[chosen.row]?.id}-${heroes[chosen.column]?.id}`;
    history.replaceState(null, "", fragment);
    form?.setAttribute("action", location.pathname + fragment);
    parts.all.hash = fragment;
  }

  const cellAt = ({ offsetX, offsetY }: MouseEvent): Cell | undefined => {
    const [column, row] = [offsetX, offsetY].map((offset) => Math.floor((offset - MARGIN) / size));
    return heroes[row ?? -1] && heroes[column ?? -1] ? { row: row ?? 0, column: column ?? 0 } : undefined;
  };
  parts.canvas.addEventListener("pointermove", (event) => point(cellAt(event) ?? chosen));
  parts.canvas.addEventListener("pointerleave", () => point(chosen));
  parts.canvas.addEventListener("click", (event) => {
    choose(cellAt(event) ?? chosen);
    keep();
  });
  parts.region.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") location.assign(parts.all.href);
    const cell = moved(chosen, event.key, heroes.length - 1);
    if (!cell) return;
    event.preventDefault();
    choose(cell);
    parts.cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  parts.region.addEventListener("keyup", (event) => {
    if (moved(chosen, event.key, heroes.length - 1)) keep();
  });
  addEventListener("hashchange", () => choose(fromAddress(heroes) ?? chosen));
  // Another hero of the page begins in its own row. Before the form is sent, which happens at the same event.
  form?.addEventListener(
    "change",
    ({ target }) => {
      if (target instanceof HTMLSelectElement && target.name === "hero") form.setAttribute("action", location.pathname);
    },
    { capture: true },
  );

  const groups = groupsOf(heroes, new FormData(form ?? undefined).get("sort"));
  function redraw(): void {
    size = cellSize(parts.region.clientWidth, heroes.length);
    paint(parts.canvas, matrix, size, groups);
    point(chosen);
  }
  section.hidden = false;
  redraw();
  choose(chosen);
  if (fromAddress(heroes)) keep();
  new ResizeObserver(redraw).observe(parts.region);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

function addressOfHero({ id }: MatrixHero): string {
  const address = new URL(location.href);
  address.searchParams.set("hero", `${id}`);
  return address.href;
}

/** What stands at the sides: roles, or first letters. */
function groupsOf(heroes: readonly MatrixHero[], sort: unknown): (string | undefined)[] {
  if (sort === "role") return heroes.map(({ role }) => role || undefined);
  if (sort === "name") return heroes.map(({ name }) => [...name][0]?.toUpperCase());
  return heroes.map(() => undefined);
}
