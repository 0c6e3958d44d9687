// Starts the server: from its bundle where that is what the sources are, else from the sources.
require("./node-version.cjs");
const { enableCompileCache } = require("node:module");
const { BUNDLE, FOLDER, isCurrent } = require("./bundle-file.cjs");

// From the second start on nothing is compiled, and no types are stripped.
enableCompileCache(FOLDER);
if (isCurrent()) require(BUNDLE);
else void import("./serve.ts");
