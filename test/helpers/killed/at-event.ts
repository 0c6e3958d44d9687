/** Loaded before a command (`NODE_OPTIONS=--import=…`): it is killed as it logs the event that `KILL_AT` names. */
const { write } = process.stdout;
process.stdout.write = ((...args: Parameters<typeof write>) => {
  const done = write.apply(process.stdout, args);
  if (String(args[0]).includes(`"event":"${process.env.KILL_AT}"`)) process.kill(process.pid, "SIGKILL");
  return done;
}) as typeof write;
