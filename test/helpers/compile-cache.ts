import { enableCompileCache } from "node:module";
import { join } from "node:path";

// The processes that a test starts for a proof look for what is compiled where this one does.
const { directory } = enableCompileCache(join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compiled"));
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
