import { element } from "../dom/elements.ts";
import type { Mark } from "./marks.ts";

const [EDGE, ABOVE, BELOW] = [4, 12, 22];
/** A dot above this has no room for a text over it. */
const HIGH = 60;

/** Shows the words of a mark below the drawing, and those of a dot also beside it. */
export function createReading(drawing: SVGSVGElement, line: HTMLElement) {
  const tip = document.createElementNS("http://www.w3.org/2000/svg", "text");
  tip.setAttribute("class", "tip");
  tip.setAttribute("aria-hidden", "true");
  let shown: Mark | undefined;

  function write(): void {
    tip.remove();
    if (!shown) {
      line.replaceChildren(element("small", {}, line.dataset.hint ?? ""));
      return;
    }
    const { words, address, left: middle, top } = shown;
    line.replaceChildren(address === undefined ? words : element("a", { href: address }, words));
    if (top === undefined) return;
    tip.textContent = words;
    drawing.append(tip);
    // On a phone only a part of the drawing is seen.
    const { clientWidth, scrollLeft } = drawing.parentElement ?? drawing;
    const scale = drawing.viewBox.baseVal.width / drawing.getBoundingClientRect().width;
    const [start, end] = [scale * scrollLeft + EDGE, scale * (scrollLeft + clientWidth) - EDGE];
    const width = tip.getComputedTextLength();
    const left = Math.max(start, Math.min(middle - width / 2, end - width));
    tip.setAttribute("x", `${left}`);
    tip.setAttribute("y", `${top > HIGH ? top - ABOVE : top + BELOW}`);
  }
  write();

  return {
    shown: (): Mark | undefined => shown,
    show(mark: Mark | undefined): void {
      if (mark === shown) return;
      shown?.element.classList.remove("shown");
      mark?.element.classList.add("shown");
      shown = mark;
      write();
    },
  };
}
