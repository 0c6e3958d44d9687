import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads a package when it is first needed, and at once: the first answers need none of those. */
export function lazily<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= require(name) as T;
    return loaded;
  };
}
