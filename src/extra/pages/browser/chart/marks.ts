/** A place of a drawing that has values: a dot, or a step along which lines go and which has no height. */
export interface Mark {
  element: SVGGraphicsElement;
  left: number;
  top: number | undefined;
  words: string;
  address: string | undefined;
}

/** A mark is found up to this distance, in the units of the drawing; a finger is as wide. */
const MOST_DISTANCE = 24;

/** Finds the marks of a drawing, from the left to the right. */
export function findMarks(drawing: SVGSVGElement): Mark[] {
  const marks = [...drawing.querySelectorAll<SVGGraphicsElement>(".mark")].map((element) => {
    const dot = element.querySelector("use");
    const title = element.querySelector("title");
    const words = title?.textContent ?? "";
    // Else the browser shows it once more, beside ours.
    title?.remove();
    const address = element.getAttribute("href") ?? undefined;
    if (address !== undefined) element.setAttribute("aria-label", words);
    const left = Number(dot?.getAttribute("x") ?? element.dataset.x);
    const top = dot ? Number(dot.getAttribute("y")) : undefined;
    return { element, left, top, words, address };
  });
  return marks.sort((a, b) => a.left - b.left);
}

/** The one that is meant by a place, if one is near. */
export function nearest(marks: readonly Mark[], { x, y }: { x: number; y: number }): Mark | undefined {
  let found: { mark: Mark; distance: number } | undefined;
  for (const mark of marks) {
    const distance = Math.hypot(mark.left - x, mark.top === undefined ? 0 : mark.top - y);
    if (mark.top !== undefined && distance > MOST_DISTANCE) continue;
    if (!found || distance < found.distance) found = { mark, distance };
  }
  return found?.mark;
}

/** The one to which a key leads, if it moves: to the sides, and among dots also up and down. */
export function stepFrom(marks: readonly Mark[], from: Mark | undefined, key: string): Mark | undefined {
  const hasHeights = marks.some(({ top }) => top !== undefined);
  const rising = hasHeights ? marks.toSorted((a, b) => (b.top ?? 0) - (a.top ?? 0)) : [];
  const move = (order: readonly Mark[], by: number) =>
    order[Math.min(order.length - 1, Math.max(0, (from ? order.indexOf(from) : 0) + by))];
  switch (key) {
    case "ArrowLeft":
      return move(marks, -1);
    case "ArrowRight":
      return move(marks, 1);
    case "ArrowDown":
      return move(rising, -1);
    case "ArrowUp":
      return move(rising, 1);
    case "Home":
      return marks[0];
    case "End":
      return marks.at(-1);
  }
  return undefined;
}
