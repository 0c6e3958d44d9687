const { existsSync, readFileSync, statSync } = require("node:fs");
const { join } = require("node:path");

const ROOT = join(__dirname, "..");
const FOLDER = join(ROOT, "node_modules", ".cache", "metasnap");
const BUNDLE = join(FOLDER, "serve.cjs");
const STAMPS = join(FOLDER, "serve.json");

/**
 * Tells one state of a source from the next.
 * @param {string} place
 */
function stampOf(place) {
  const { mtimeMs, size } = statSync(join(ROOT, place));
  return `${mtimeMs} ${size}`;
}

/** Whether there is a bundle, made of the files as they are now. */
function isCurrent() {
  try {
    const stamps = JSON.parse(readFileSync(STAMPS, "utf8"));
    return existsSync(BUNDLE) && Object.entries(stamps).every(([place, stamp]) => stampOf(place) === stamp);
  } catch {
    return false;
  }
}

module.exports = { BUNDLE, FOLDER, ROOT, STAMPS, isCurrent, stampOf };
