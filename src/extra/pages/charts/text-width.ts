/**
 * How wide a character of each kind is in common sans-serif fonts, in parts of the size of the text; the first that fits counts.
 * The table of East Asian width (UAX #11) would not do: to it all letters of Latin, Arabic, Thai and Khmer are alike.
 */
const WIDTHS: readonly (readonly [kind: RegExp, width: number])[] = [
  [/^[\p{Mn}\p{Me}\p{Cf}]$/u, 0],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uff60]$/u, 1],
  [/^\p{Script=Khmer}$/u, 0.85],
  [/^\p{Script=Thai}$/u, 0.65],
  [/^[اأإآلر]$/u, 0.4],
  [/^[سشصضيىك]$/u, 0.8],
  [/^\p{Script=Arabic}$/u, 0.6],
  [/^[fijlrtI1'’.,:;|!()[\]\-· ]$/u, 0.38],
  [/^[mwMWмшщжюМШЩЖЮФф@%…]$/u, 0.92],
  [/^\p{Lu}$/u, 0.72],
  [/^./su, 0.62],
];

/** The font size of a chart's text, in the units of the chart, as in the styles. */
const SIZE = 12;

/** Matches the consonant after this sign of Khmer: it stands below the one before. */
const BELOW = /\u17d2./gsu;

/** Estimates the width of a text of a chart, rather too much than too little. */
export function widthOfText(text: string): number {
  let width = 0;
  for (const character of text.normalize("NFC").replaceAll(BELOW, ""))
    width += knownWidths.get(character) ?? widthOfCharacter(character);
  return SIZE * width;
}

/** A page measures the same few characters thousands of times. */
const knownWidths = new Map<string, number>();

function widthOfCharacter(character: string): number {
  const [, width] = WIDTHS.find(([kind]) => kind.test(character)) ?? [undefined, 0];
  knownWidths.set(character, width);
  return width;
}

/** The text, or as much of its beginning as has room: never half a character. */
export function fitText(text: string, most: number): string {
  if (widthOfText(text) <= most) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOfText(`${kept}${segment}…`) > most) break;
    kept += segment;
  }
  return `${kept}…`;
}
