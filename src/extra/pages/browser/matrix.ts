/** The matrix of matchups as a picture: a crosshair follows mouse, finger and arrow keys, and the chosen pair is in the address. */
import type { Lang } from "../../../api/enumerations.ts";
import { figuresIn } from "../figures.ts";
import { element } from "./dom/elements.ts";
import { type Cell, firstCell, fromAddress, moved } from "./matrix/cell.ts";
import { type Matrix, type MatrixHero, readMatrix } from "./matrix/csv.ts";
import { cellSize, MARGIN, paint } from "./matrix/paint.ts";

const section = document.querySelector<HTMLElement>("#matrix");
const isWide = matchMedia("(min-width: 48rem)");
if (section) {
  if (isWide.matches) load(section);
  else isWide.addEventListener("change", () => load(section), { once: true });
}

async function load(section: HTMLElement): Promise<void> {
  // For browsers that do not know whether scripts run.
  section.classList.add("drawn");
  section.ariaBusy = "true";
  try {
    const response = await fetch(section.dataset.source ?? "");
    if (!response.ok) throw new Error(`${response.status}`);
    show(section, readMatrix(await response.text()));
  } catch {
    section.append(element("p", { role: "status" }, section.dataset.failed ?? ""));
    for (const part of section.querySelectorAll(".told, .wide")) part.remove();
  }
  section.ariaBusy = "false";
}

/** Finds the elements that the page has for the picture. */
function partsOf(section: HTMLElement) {
  const find = <Kind extends HTMLElement>(selector: string): Kind => {
    const found = section.querySelector<Kind>(selector);
    if (!found) throw new Error(`the page has no ${selector}`);
    return found;
  };
  const all = element("a", { href: "" });
  find(".all").append(all);
  return {
    canvas: find<HTMLCanvasElement>("canvas"),
    row: find(".row"),
    column: find(".column"),
    cell: find(".cell"),
    words: find(".words"),
    region: find(".wide"),
    all,
  };
}

function show(section: HTMLElement, matrix: Matrix): void {
  const { heroes, values } = matrix;
  const { known = "", unknown = "", all = "", limit = "" } = section.dataset;
  const parts = partsOf(section);
  const form = document.querySelector<HTMLFormElement>("form.choices");
  const { writePoints } = figuresIn(document.documentElement.lang as Lang);
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
    const sentence = fillIn(value === undefined ? unknown : known, {
      hero: hero.name,
      other: other.name,
      points: value === undefined ? "" : writePoints(value),
      row: `${row + 1}`,
      column: `${column + 1}`,
      count: `${heroes.length}`,
    });
    parts.words.replaceChildren(...sentence);
  }

  function choose(cell: Cell): void {
    chosen = cell;
    point(cell);
    const [hero, other] = [heroes[cell.row], heroes[cell.column]];
    if (!hero || !other) return;
    parts.all.href = addressOfHero(hero);
    parts.all.replaceChildren(...fillIn(all, { hero: hero.name }));
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

  const groups = groupsOf(
    heroes,
    new FormData(form ?? undefined).get("sort"),
    JSON.parse(section.dataset.roles ?? "{}"),
  );
  function redraw(): void {
    size = cellSize(parts.region.clientWidth, heroes.length);
    paint(parts.canvas, matrix, Number(limit), size, groups);
    point(chosen);
  }
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

/** Returns the group of each hero that stands at the sides: a role, or a first letter. */
function groupsOf(
  heroes: readonly MatrixHero[],
  sort: unknown,
  roles: Readonly<Record<string, string>>,
): (string | undefined)[] {
  if (sort === "role") return heroes.map(({ role }) => (role === "" ? undefined : (roles[role] ?? role)));
  if (sort === "name") return heroes.map(({ name }) => [...name][0]?.toUpperCase());
  return heroes.map(() => undefined);
}

/** A sentence of the page with what stands in braces put in; names keep their direction. */
const fillIn = (sentence: string, parts: Readonly<Record<string, string>>): (Node | string)[] =>
  sentence.split(/\{(\w+)\}/).map((text, index) => (index % 2 === 0 ? text : element("bdi", {}, parts[text] ?? "")));
