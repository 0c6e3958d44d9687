import { type Endpoint, keyOf } from "../../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { ApiError, type InvalidField } from "../../api/errors.ts";
import { parseInteger } from "../../api/request/parameters.ts";
import type { WordParameter } from "../../api/request/path-parameter.ts";
import type { Snapshot } from "../../snapshot/read.ts";
import { createHeroes } from "./hero-names.ts";

/** What a path names: the part of the slice key that it gives, or a number to look up. */
export interface Identified {
  hero?: number;
  subject?: string;
  number?: number;
}

/** Finds what the path of an endpoint names. */
export function createIdentifiers(snapshot: Snapshot) {
  const heroes = createHeroes(snapshot.names);

  return {
    /** Numbers out of range, and words of another length that no list names, are invalid input, like a bad parameter. */
    invalid({ identifier }: Endpoint, raw: string): InvalidField[] {
      if (!identifier) return [];
      if (identifier.kind === "hero") return heroes.invalid(raw);
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

    find({ identifier }: Endpoint, raw: string, lang: Lang): Identified {
      if (identifier?.kind === "hero") return { hero: heroes.find(raw, lang) };
      if (identifier?.kind === "word") return { subject: findWord(identifier, raw) };
      return { number: parseInteger(raw) ?? 0 };
    },
  };

  function findWord(parameter: WordParameter, raw: string): string {
    const words = snapshot.words(parameter);
    if (!words) throw notCaptured(keyOf({ dataset: parameter.list, lang: BASE_LANG }));
    if (words.includes(raw)) return raw;
    const hint = `these are there: ${words.join(", ")}`.slice(0, 200);
    throw new ApiError("RESOURCE_NOT_FOUND", {
      message: "The path names something that is not there.",
      hint,
      detail: raw.slice(0, 200),
    });
  }
}

/** A valid query whose answer is not in the snapshot; the detail names the slice. */
export function notCaptured(detail: string): ApiError {
  return new ApiError("SLICE_NOT_CAPTURED", {
    message: "This snapshot does not hold the answer.",
    hint: "GET /api/ tells which snapshot is served; a whole crawl holds every answer.",
    detail,
  });
}
