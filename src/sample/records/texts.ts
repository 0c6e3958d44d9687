import type { Lang } from "../../api/enumerations.ts";
import { hash, mix, pick } from "../numbers/hash.ts";
import { fill, WORDS } from "../words.ts";

/** A name that no other number up to 119 has; later ones carry a figure. */
export function nameOf(number: number, lang: Lang): string {
  const { nouns, epithets, skill } = WORDS[lang];
  const name = fill(skill, {
    n: pick(nouns, number),
    x: pick(epithets, Math.floor(number / nouns.length)),
  });
  const again = Math.floor(number / (nouns.length * epithets.length));
  return again > 0 ? `${name} ${again + 1}` : name;
}

/** What an item, a talent or a spell does, in one or two sentences. */
export function effectOf(name: string, lang: Lang, salt: number, kind: "passive" | "active" = "passive"): string {
  const words = WORDS[lang];
  const count = 1 + (salt % 2);
  const sentences = Array.from({ length: count }, (_, i) => {
    const h = hash(salt, i);
    return fill(pick(words[kind], mix(h, 1)), {
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

/** A text without the markup, with placeholders for its numbers, as the publisher keeps some. */
export function templateOf(text: string): string {
  let number = 0;
  return text
    .replace(/<[^>]*>/g, "")
    .replaceAll("\n", "########")
    .replace(/[\d.]+%?/g, () => {
      number += 1;
      return `<%Num${number}>`;
    });
}
