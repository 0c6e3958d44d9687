const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
/** @type {{ scripts: Record<string, string> }} */
const manifest = require("../../package.json");

const ROOT = join(__dirname, "..", "..");

/**
 * What `npm run` gives to node for a command; paths are those from the project's folder.
 * @param {string} command
 */
exports.commandLine = (command) => manifest.scripts[command]?.split(" ").slice(1) ?? [];

/**
 * The same from whatever folder: a module to be imported as a URL, as Node wants it, and the program as a path.
 * @param {string} command
 */
exports.commandLineAnywhere = (command) =>
  exports.commandLine(command).map((word) => {
    if (word.startsWith("./")) return pathToFileURL(join(ROOT, word)).href;
    return /^(?:scripts|dist)\//.test(word) ? join(ROOT, word) : word;
  });

/**
 * The program of a command.
 * @param {string} command
 */
exports.programOf = (command) => exports.commandLineAnywhere(command).at(-1) ?? "";
