// Starts the server from one file, which is made anew when a source has changed; where that cannot be, from the sources.
require("./node-version.cjs");
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");
const { BUNDLE, FOLDER, isCurrent } = require("./bundle-file.cjs");

// From the second start on nothing is compiled.
enableCompileCache(FOLDER);
if (!isCurrent()) makeBundle();
if (isCurrent()) require(BUNDLE);
else void import("./typescript.js").then(() => import("./serve.ts"));

function makeBundle() {
  const { spawnSync } = require("node:child_process");
  const words = ["--import", join(__dirname, "typescript.js"), join(__dirname, "bundle.ts")];
  // It may fail, as where nothing can be written: that costs time, and nothing else.
  spawnSync(process.execPath, words, { stdio: "ignore", timeout: 20_000 });
}
