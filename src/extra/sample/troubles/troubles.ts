import { hashText, mix, toFraction } from "../numbers/hash.ts";
import type { Reply } from "../service/failures.ts";
import { checkSlices, isOf, type Slices } from "../service/slice.ts";
import { type Asked, type Effect, FORMS, type Form, type Part, type Silence } from "./forms.ts";

const isCount = (value: number) => Number.isInteger(value) && value >= 0;

/** Bounds of a trouble: it meets only some of its questions. */
export const LIMITS = {
  first: { says: "the first times in a night that a path is asked", fits: isCount },
  share: { says: "a share, drawn by the seed", fits: (value: number) => value >= 0 && value <= 1 },
  from: { says: "on this day, and on those after it", fits: Number.isInteger },
  until: { says: "on days before this one", fits: Number.isInteger },
  after: { says: "in each night, after so many requests", fits: isCount },
  upTo: { says: "in each night, up to so many requests", fits: isCount },
};

type Limit = keyof typeof LIMITS;

export const isLimit = (name: string): name is Limit => Object.hasOwn(LIMITS, name);

/** Something goes wrong with some questions. The first trouble that replies counts, and all that change an answer. */
export interface Trouble extends Partial<Record<Limit, number>> {
  of: Slices;
  form: Form;
}

/** The number of a request in its night, and among those for its path; both begin with 1. */
interface Place {
  ofNight: number;
  ofPath: number;
}

/** The fate of a question. */
interface Met {
  /** The forms of all troubles that had a part in it. */
  forms: readonly Form[];
  /** The reply that is sent in place of the right answer. */
  instead?: Reply | Silence;
  /** The size of pages of the right answer. */
  size: number;
  /** Makes the data that are sent from those of the right answer. */
  change: (data: unknown, part: Part) => unknown;
}

const unchanged = (data: unknown) => data;

function effectOf(form: string): Effect & { word: string } {
  const [name = "", ...words] = form.split(" ");
  const effect: Effect | undefined = Object.hasOwn(FORMS, name) ? FORMS[name as keyof typeof FORMS] : undefined;
  if (!effect) throw new RangeError(`${name} is none of the forms ${Object.keys(FORMS).join(", ")}`);
  const [argument = "", pattern = /^$/] = effect.argument ?? [];
  const word = words.join(" ");
  if (!pattern.test(word)) throw new RangeError(`${form} is not in the form ${`${name} ${argument}`.trim()}`);
  return { ...effect, word };
}

/** Throws `RangeError` for a trouble that no service can have. */
export function checkTrouble(trouble: Trouble): Trouble {
  const { of, form, ...limits } = trouble;
  checkSlices(of);
  effectOf(form);
  for (const [name, value] of Object.entries(limits))
    if (!isLimit(name) || !LIMITS[name].fits(value)) throw new RangeError(`${name} ${value} bounds no trouble`);
  return trouble;
}

const isOfDay = ({ from = -Infinity, until = Infinity }: Trouble, day: number) => from <= day && day < until;

/** True if the document marks an endpoint as deprecated. */
export const isDeprecated = (troubles: readonly Trouble[], day: number, endpoint: string): boolean =>
  troubles.some((trouble) => trouble.form === "deprecated" && isOfDay(trouble, day) && isOf({ endpoint }, trouble.of));

/** Finds what becomes of a question on a day. */
export function createTroubles({ troubles, day }: { troubles: readonly Trouble[]; day: number }) {
  const today = troubles
    .filter((trouble) => isOfDay(trouble, day))
    .map((trouble) => ({ ...trouble, effect: effectOf(trouble.form), salt: hashText(trouble.form) }));

  return function meet(asked: Asked, { ofNight, ofPath }: Place): Met {
    const met = today.filter(
      ({ of, salt, first = Infinity, share = 1, after = 0, upTo = Infinity }) =>
        ofPath <= first &&
        after < ofNight &&
        ofNight <= upTo &&
        isOf(asked.slice, of) &&
        toFraction(mix(asked.salt, salt)) < share,
    );
    for (const { form, effect } of met) {
      const instead = effect.reply?.(asked, effect.word);
      if (instead) return { forms: [form], instead, size: asked.size, change: unchanged };
    }
    const changes = met.filter(({ effect }) => !effect.reply);
    if (changes.length === 0) return { forms: [], size: asked.size, change: unchanged };
    return {
      forms: changes.map(({ form }) => form),
      size: changes.reduce((size, { effect }) => effect.size?.(size, effect.word) ?? size, asked.size),
      change: (sent, part) =>
        changes.reduce((data, { effect }) => (effect.data ? effect.data(data, part, effect.word) : data), sent),
    };
  };
}
