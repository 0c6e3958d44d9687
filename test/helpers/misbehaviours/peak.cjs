// Required by a command under test: writes its peak of resident memory, in kibibytes, when it ends. What getrusage says begins with the
// memory of the process that started it, which is no matter of the command's.
const { readFileSync, writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const { PEAK_FILE } = process.env;
if (isMainThread && PEAK_FILE)
  process.on("exit", () => {
    const [, peak = ""] = /VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    writeFileSync(PEAK_FILE, peak);
  });
