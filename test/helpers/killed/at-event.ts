/**
 * Loaded before a command (`NODE_OPTIONS=--import=…`): as it logs the event that `KILL_AT` names it gets the signal `KILL_WITH`, and
 * once it has heard that one `KILL_THEN`.
 */
const { KILL_AT, KILL_WITH = "SIGKILL", KILL_THEN } = process.env;
const { write } = process.stdout;
process.stdout.write = ((...args: Parameters<typeof write>) => {
  const done = write.apply(process.stdout, args);
  if (String(args[0]).includes(`"event":"${KILL_AT}"`)) process.kill(process.pid, KILL_WITH);
  return done;
}) as typeof write;
if (KILL_THEN) process.once(KILL_WITH, () => process.nextTick(() => process.kill(process.pid, KILL_THEN)));
