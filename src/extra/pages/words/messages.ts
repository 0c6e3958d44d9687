import { BASE_LANG, type Lang } from "../../../api/enumerations.ts";
import { Html, html } from "../html.ts";
import type english from "./en.json";
import { lend } from "./lent.ts";
import type { PlacesOfMessages } from "./places.ts";

/** The words of the pages in one language, as `en.json` has them: a message with places is a function of what goes there. */
export interface Messages extends Said<typeof english, ""> {
  language: Lang;
}

type Said<Part, Path extends string> = {
  readonly [Key in keyof Part & string as NameOf<Key>]: Part[Key] extends string
    ? Message<`${Path}${NameOf<Key>}`>
    : Said<Part[Key], `${Path}${Key}.`>;
};

type NameOf<Key extends string> = Key extends `${infer Name}_${Intl.LDMLPluralRule}` ? Name : Key;

type Message<Path extends string> = Path extends keyof PlacesOfMessages ? Say<PlacesOfMessages[Path]> : string;

/** HTML if something of it is HTML: the rest is escaped then. */
type Say<Place extends string> = <Values extends Readonly<Record<Place, Value>>>(
  values: Values,
) => Extract<Values[Place], Html> extends never ? string : Html;

type Value = string | number | Html;

/**
 * A file of words, in the JSON of i18next, version 4 (https://www.i18next.com/misc/json-format), which translation tools read: groups
 * of messages, `{{place}}`, and a key for each form of a number, which is that of `count`: `heroes_one`, `heroes_other`.
 */
export interface Catalogue {
  readonly [key: string]: string | Catalogue;
}

const FORMS: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];
const FORM = new RegExp(`_(?:${FORMS.join("|")})$`);
const PLACE = /\{\{(\w+)\}\}/;

/** The name of a message, by a key of a file. */
export const nameOfKey = (key: string): string => key.replace(FORM, "");

/** The names of places are at odd indexes. */
export const splitAtPlaces = (text: string): string[] => text.split(PLACE);

/** Makes the messages of a language; those that it lacks are lent from English. */
export const toMessages = (english: Catalogue, own: Catalogue, language: Lang): Messages =>
  ({ ...sayAll(english, own, language), language }) as Messages;

function sayAll(english: Catalogue, own: Catalogue, language: Lang): object {
  const said = Object.entries(english).map(([key, text]) => {
    const given = own[key];
    if (typeof text === "object") return [key, sayAll(text, typeof given === "object" ? given : {}, language)];
    const name = nameOfKey(key);
    const forms = formsOf(own, name);
    return [name, forms.has("other") ? say(forms, language) : say(formsOf(english, name, lend), BASE_LANG)];
  });
  return Object.fromEntries(said);
}

/** The texts of a message by the form of its number; one without a number is the other form. */
function formsOf(catalogue: Catalogue, name: string, change = (text: string) => text): ReadonlyMap<string, string> {
  const keys = [["other", name], ...FORMS.map((form) => [form, `${name}_${form}`])] as const;
  return new Map(
    keys.flatMap(([form = "", key = ""]) => {
      const text = catalogue[key];
      return typeof text === "string" ? [[form, change(text)]] : [];
    }),
  );
}

function say(forms: ReadonlyMap<string, string>, language: Lang) {
  const parts = new Map([...forms].map(([form, text]) => [form, splitAtPlaces(text)]));
  const other = parts.get("other") ?? [];
  if (other.length === 1) return other[0];
  const rules = forms.size > 1 ? new Intl.PluralRules(language) : undefined;
  return (values: Readonly<Record<string, Value>>) => {
    const chosen = (rules && parts.get(rules.select(Number(values.count)))) ?? other;
    const pieces = chosen.map((part, index) => (index % 2 === 0 ? part : values[part]));
    return pieces.some((piece) => piece instanceof Html) ? html`${pieces}` : pieces.join("");
  };
}
