import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Loaded before a command: writes the modules of ours that it loads to the file `LOADED_FILE`, a line each. */
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:") && !url.includes("/node_modules/"))
      appendFileSync(process.env.LOADED_FILE ?? "", `${fileURLToPath(url)}\n`);
    return next(url, context);
  },
});
