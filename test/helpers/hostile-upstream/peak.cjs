// Required by a command under test: writes its peak of resident memory, in kibibytes, when it ends.
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const { PEAK_FILE } = process.env;
if (isMainThread && PEAK_FILE)
  process.on("exit", () => writeFileSync(PEAK_FILE, String(process.resourceUsage().maxRSS)));
