const { homedir } = require("node:os");
const { join } = require("node:path");

/** Where Node keeps what it compiled. Not in the folder for temporary files, where others may put what we would run. */
exports.COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metasnap");
