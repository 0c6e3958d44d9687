const { spawn } = require("node:child_process");
const { dirname, join } = require("node:path");
const { constants } = require("node:os");
const { isatty } = require("node:tty");
const { commandLineAnywhere } = require("../cli/command-line.cjs");
const { COMPILE_CACHE } = require("./compile-cache.cjs");

const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** The Node that npm installs beside us as an optional package, as `npm run` would take it. */
function findPackagedNode() {
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), "bin", "node");
  } catch {
    return undefined;
  }
}

/**
 * Runs a command as if it was this process: its input, output, signals and end are ours.
 * @param {string} command
 * @param {string[]} words
 */
exports.run = (command, words) => {
  const packaged = findPackagedNode();
  if (packaged === undefined) runOnThisNode(command, words);
  // It wants the C library of most of Linux, which not all of it has.
  else start(packaged, command, words).once("error", () => runOnThisNode(command, words));
};

/** @type {(command: string, words: string[]) => void} */
function runOnThisNode(command, words) {
  require("../cli/node-version.cjs");
  start(process.execPath, command, words).once("error", (error) => {
    throw error;
  });
}

/** @type {(node: string, command: string, words: string[]) => import("node:child_process").ChildProcess} */
function start(node, command, words) {
  // Usages and hints name commands as they are called here; a script of npm may call us by the same name.
  const called = process.env.npm_lifecycle_event === command ? {} : { METASNAP_BIN: "1" };
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...called };
  const child = spawn(node, [...commandLineAnywhere(command), ...words], { stdio: "inherit", env });
  for (const signal of FORWARDED) process.on(signal, () => pass(signal, child));
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const one of FORWARDED) process.removeAllListeners(one);
    // Whoever waits for us is to see what happened; where a signal cannot end us, as a shell would say it.
    process.exitCode = 128 + constants.signals[signal];
    process.kill(process.pid, signal);
  });
  return child;
}

/**
 * A terminal sends Ctrl-C to all of its processes in front: passed on, too, it would be the second one, which ends a crawl at
 * once.
 * @type {(signal: NodeJS.Signals, child: import("node:child_process").ChildProcess) => void}
 */
function pass(signal, child) {
  if (signal !== "SIGINT" || ![0, 1, 2].some((fd) => isatty(fd))) child.kill(signal);
}
