import module from "node:module";
import { join } from "node:path";

// Loaded before a program in TypeScript: from its second start on, neither types are stripped nor anything is compiled.
// Not TypeScript itself, for the same reason.
module.enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "metasnap"));
