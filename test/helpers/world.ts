import { inject } from "vitest";
import type { Nights } from "./crawl-nights.ts";

declare module "vitest" {
  interface ProvidedContext {
    world: World;
  }
}

interface World {
  /** Data folder with one whole snapshot of the sample upstream: all heroes, all languages. */
  data: string;
  /** The journal that snapshot was built from. */
  journal: string;
  snapshot: string;
  /** The report that the crawl printed. */
  crawl: Record<string, unknown>;
  nights: Nights;
}

/** Made by `make-world.ts` before the tests that import it. They only read it. */
export const world = inject("world");
