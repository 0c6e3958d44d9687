const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
/** @type {{ scripts: Record<string, string> }} */
const manifest = require("../../package.json");

const ROOT = join(__dirname, "..", "..");

/**
 * What `npm run` gives to node for a command, from whatever folder: a module to be imported as a URL, as Node wants it, and the
 * program as a path.
 * @param {string} command
 */
exports.commandLine = (command) => {
  const [, ...words] = manifest.scripts[command]?.split(" ") ?? [];
  return words.map((word) => {
    if (word.startsWith("./")) return pathToFileURL(join(ROOT, word)).href;
    return word.startsWith("scripts/") ? join(ROOT, word) : word;
  });
};

/**
 * The program of a command.
 * @param {string} command
 */
exports.programOf = (command) => exports.commandLine(command).at(-1) ?? "";
