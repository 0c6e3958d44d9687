import { inject } from "vitest";
import type { Nights } from "./crawl-nights.ts";
import { copyOf } from "./data-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    fewNights: Nights & { until: string[] };
  }
}

/** Three small nights that are only read, for what is not about what a night holds. */
export const fewNights = inject("fewNights");

/** A copy of their folder as the first of them left it, or as the first two did. */
export const copyOfFirst = (count: 1 | 2) => copyOf(fewNights.until[count - 1] ?? "");
