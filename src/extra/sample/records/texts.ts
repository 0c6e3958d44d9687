import type { Lang } from "../../../api/enumerations.ts";
import { hash, mix, pickFromRing } from "../numbers/hash.ts";
import { fillTemplate, PHRASES } from "../phrases.ts";

/** A name that is unique for numbers up to 119; later names end in a digit. */
export function numberedName(number: number, lang: Lang): string {
  const { nouns, epithets, skill } = PHRASES[lang];
  const name = fillTemplate(skill, {
    n: pickFromRing(nouns, number),
    x: pickFromRing(epithets, Math.floor(number / nouns.length)),
  });
  const again = Math.floor(number / (nouns.length * epithets.length));
  return again > 0 ? `${name} ${again + 1}` : name;
}

/** Description of an item, a talent or a spell: one or two sentences. */
export function effectText(name: string, lang: Lang, salt: number, kind: "passive" | "active" = "passive"): string {
  const words = PHRASES[lang];
  const count = 1 + (salt % 2);
  const sentences = Array.from({ length: count }, (_, i) => {
    const h = hash(salt, i);
    return fillTemplate(pickFromRing(words[kind], mix(h, 1)), {
      h: name,
      d: `${50 + (h % 41) * 10} <font color="62f8fe">${words.physical[1]}</font>`,
      k: name,
      p: 5 + (mix(h, 2) % 11) * 5,
      s: 1 + (mix(h, 3) % 12) / 2,
      m: 2 + (mix(h, 4) % 5),
    });
  });
  return sentences.join("\n");
}

/** The text without markup and with placeholders for its numbers, a form that some records carry. */
export function toPlaceholders(text: string): string {
  let number = 0;
  return text
    .replace(/<[^>]*>/g, "")
    .replaceAll("\n", "########")
    .replace(/[\d.]+%?/g, () => {
      number += 1;
      return `<%Num${number}>`;
    });
}
