import type { Endpoint } from "../../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { ApiError, type InvalidField } from "../../api/errors.ts";
import { hintElsewhere } from "../../api/request/elsewhere.ts";
import { createHeroNames } from "../../api/request/hero-names.ts";
import { parseInteger } from "../../api/request/parameters.ts";
import type { WordParameter } from "../../api/request/path-parameter.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { notCaptured } from "./not-captured.ts";

/** The target of a path: a part of the slice key, or a number to look up. */
export interface PathTarget {
  hero?: number;
  subject?: string;
  number?: number;
}

export interface PathResolver {
  /** Returns the fault of an identifier: a number out of range, or a word of the wrong length; empty if it is valid. */
  validate(endpoint: Endpoint, raw: string): InvalidField[];
  /** Resolves an identifier. Throws an ApiError: RESOURCE_NOT_FOUND, or SLICE_NOT_CAPTURED if the list of words is missing. */
  resolve(endpoint: Endpoint, raw: string, lang: Lang): PathTarget;
}

export function createPathResolver(snapshot: Snapshot): PathResolver {
  const heroes = createHeroNames(snapshot.names);

  return {
    validate({ identifier }, raw) {
      if (!identifier) return [];
      if (identifier.kind === "hero") return heroes.validate(raw);
      const field = { name: identifier.name, in: "path" as const, received: raw };
      if (identifier.kind === "word") {
        const isWord = raw.length === identifier.length || snapshot.words(identifier)?.includes(raw);
        return isWord ? [] : [{ ...field, allowed: `of ${identifier.length} characters` }];
      }
      const { minimum, maximum } = identifier;
      const number = parseInteger(raw);
      if (number !== undefined && number >= minimum && number <= maximum) return [];
      return [{ ...field, allowed: `a whole number from ${minimum} to ${maximum}` }];
    },

    resolve({ identifier, path }, raw, lang) {
      if (identifier?.kind === "hero") return { hero: resolveHero(path, raw, lang) };
      if (identifier?.kind === "word") return { subject: resolveWord(identifier, raw) };
      return { number: parseInteger(raw) ?? 0 };
    },
  };

  function resolveHero(path: string, raw: string, lang: Lang): number {
    const hero = heroes.find(raw, lang);
    if (hero !== undefined) return hero;
    throw new ApiError("RESOURCE_NOT_FOUND", {
      message: "No hero has this id or name.",
      // A route of the upstream may have its name in the place of a hero's.
      hint: hintElsewhere(path.replace(/\{\w+\}/, () => raw)) ?? heroes.hint(raw, lang),
      detail: raw,
    });
  }

  function resolveWord(parameter: WordParameter, raw: string): string {
    const words = snapshot.words(parameter);
    if (!words) throw notCaptured(snapshot, { dataset: parameter.list, lang: BASE_LANG });
    if (words.includes(raw)) return raw;
    const hint = `the list has ${words.join(", ")}`;
    throw new ApiError("RESOURCE_NOT_FOUND", {
      message: "The list has no entry with this name.",
      hint,
      detail: raw,
    });
  }
}
