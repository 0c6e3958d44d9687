/** Values of the drawings by mouse, finger and keys: those of the nearest mark, in the line below. */

import { findMarks, type Mark, nearest, stepFrom } from "./chart/marks.ts";
import { createReading } from "./chart/reading.ts";

for (const plot of document.querySelectorAll<HTMLElement>(".plot")) {
  const [region, drawing] = [plot.querySelector<HTMLElement>(".wide"), plot.querySelector<SVGSVGElement>("svg.chart")];
  const line = plot.querySelector<HTMLElement>(".reading");
  if (region && drawing && line) answer(region, drawing, line);
}

function answer(region: HTMLElement, drawing: SVGSVGElement, line: HTMLElement): void {
  const marks = findMarks(drawing);
  const reading = createReading(drawing, line);
  let byTouch = false;
  narrowTexts(drawing);
  // A text has no width before its drawing is unfolded.
  new ResizeObserver(() => narrowTexts(drawing)).observe(drawing);

  const markAt = ({ clientX, clientY }: MouseEvent): Mark | undefined => {
    const place = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
    return nearest(marks, place);
  };
  drawing.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") reading.show(markAt(event));
  });
  drawing.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") reading.show(undefined);
  });
  drawing.addEventListener("pointerdown", ({ pointerType }) => {
    byTouch = pointerType !== "mouse";
  });
  // A finger covers many dots: its first tap tells which one it has found, a second one there follows the link.
  drawing.addEventListener("click", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const mark = markAt(event);
    const isKnown = !byTouch || mark === reading.shown();
    reading.show(mark);
    if (mark?.address !== undefined && isKnown) location.assign(mark.address);
  });

  region.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== region) return;
    const shown = reading.shown();
    if (event.key === "Enter" && shown?.address !== undefined) location.assign(shown.address);
    if (event.key === "Escape") reading.show(undefined);
    const next = stepFrom(marks, shown, event.key);
    if (!next) return;
    event.preventDefault();
    reading.show(next);
    next.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  region.addEventListener("focus", () => {
    if (region.matches(":focus-visible")) reading.show(reading.shown() ?? marks.at(-1));
  });
}

/** Each text has room by the width of common fonts; in a wider one it is made as narrow as that. */
function narrowTexts(drawing: SVGSVGElement): void {
  for (const text of drawing.querySelectorAll<SVGTextElement>("text[data-room]")) {
    const { room = "" } = text.dataset;
    if (text.hasAttribute("textLength") || text.getComputedTextLength() <= Number(room)) continue;
    text.setAttribute("textLength", room);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}
