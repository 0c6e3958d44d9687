/** Each text has room by the width of common fonts; in a wider one it is made as narrow as that. */
export function narrowTexts(drawing: SVGSVGElement): void {
  for (const text of drawing.querySelectorAll<SVGTextElement>("text[data-room]")) {
    const { room = "" } = text.dataset;
    if (text.hasAttribute("textLength") || text.getComputedTextLength() <= Number(room)) continue;
    text.setAttribute("textLength", room);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}
