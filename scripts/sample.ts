import { EXIT, Failure } from "../src/api/failure.ts";
import { startSample } from "../src/extra/sample/service/server.ts";
import type { Trouble } from "../src/extra/sample/troubles/troubles.ts";
import { explainAddress } from "../src/network/listening.ts";
import { createMain, defineCommand, number, runMain } from "./cli/command.ts";
import { listeningHost, listeningPort } from "./cli/options/listening.ts";
import { troubles } from "./cli/options/trouble.ts";
import { say } from "./cli/say.ts";

interface SampleFlags {
  port: number;
  host: string;
  heroes: number;
  seed: number;
  day: number;
  unresolved: number;
  trouble?: Trouble[];
}

const defineSample = () =>
  defineCommand("sample", {
    Options: [
      listeningPort(8787),
      listeningHost(),
      number("--heroes <n>", "number of heroes", [1, 133]).default(133),
      number("--seed <n>", "random seed", [0, 2 ** 31]).default(1),
      number("--day <n>", "day of the numbers; texts stay the same", [0, 10_000]).default(0),
      number("--unresolved <n>", "number of heroes, from the end, that only the list of heroes has", [0, 132]).default(
        0,
      ),
      troubles("what goes wrong, as 'WHERE: FORM'; repeatable"),
    ],
  });

export const main = createMain(defineSample, async ({ trouble = [], ...flags }: SampleFlags) => {
  const { heroes, unresolved } = flags;
  if (unresolved >= heroes)
    throw new Failure(
      EXIT.usage,
      `--unresolved: ${unresolved} of ${heroes} heroes leaves none`,
      "give a smaller number, or a greater one with --heroes",
    );
  const sample = await startSample({ ...flags, troubles: trouble, log: (line) => say(line) }).catch((error) => {
    throw explainAddress(error, flags.port, flags.host);
  });
  const stop = new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  // A reader of this line may stop it at once.
  say(`sample upstream on ${sample.url}, stop with Ctrl-C`);
  await stop;
  await sample.close();
  return 0;
});

if (import.meta.main) await runMain(main);
