import { resolve } from "node:path";
import { Argument, InvalidArgumentError } from "commander";
import { EXIT, Failure } from "../src/api/failure.ts";
import { openFolderPlace, refuseOverlap } from "../src/extra/nights/publish-to/folder-place.ts";
import type { Place } from "../src/extra/nights/publish-to/place.ts";
import { publishTo } from "../src/extra/nights/publish-to/publish-to.ts";
import { openRclonePlace } from "../src/extra/nights/publish-to/rclone-place.ts";
import { lockPlace } from "../src/journal/lock.ts";
import { createMain, dataFolder, defineCommand, flag, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { keepFlag } from "./cli/options/publish.ts";
import { createTeller } from "./cli/say.ts";
import { stoppable } from "./cli/stoppable.ts";

interface PublishToFlags {
  data: string;
  keep: number;
  takeOver: boolean;
  json: boolean;
}

const definePublishTo = () =>
  defineCommand("publish-to", {
    Options: [
      dataFolder(),
      keepFlag(),
      flag("--take-over", "replace the pointer there even if it names a later snapshot of another folder"),
      jsonFlag(),
    ],
  }).addArgument(new Argument("<place>", "a folder, or a remote of rclone: name:path").argParser(parsePlace));

/** True for a remote as rclone tells it: a name with a colon before any slash. */
const isRemote = (place: string): boolean => /^[^/\\]*:/.test(place) && !/^[A-Za-z]:[/\\]/.test(place);

/** The folder of this machine that a place is, also one that rclone is to write; undefined for others. */
function folderOf(place: string): string | undefined {
  const [, local] = /^:local(?:,[^:]*)?:(.*)$/s.exec(place) ?? [];
  if (local !== undefined) return resolve(local);
  return isRemote(place) ? undefined : place;
}

function parsePlace(text: string): string {
  if (/^[a-z]+:\/\//i.test(text)) throw new InvalidArgumentError("It must be a folder, or a remote of rclone, no URL.");
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return isRemote(text) ? text : resolve(text);
}

export const main = createMain(definePublishTo, async ({ data, ...options }: PublishToFlags, command) => {
  const [place] = command.processedArgs as [string];
  const folder = folderOf(place);
  if (folder !== undefined) refuseOverlap(data, folder);
  using _ = folder === undefined ? undefined : lockPlace(folder);
  return await stoppable((stop) => run(data, place, options, stop));
});

async function run(data: string, to: string, { json, ...options }: Omit<PublishToFlags, "data">, stop: AbortSignal) {
  const place = isRemote(to) ? openRclonePlace(to, stop) : openFolderPlace(to);
  try {
    const tell = createTeller(json);
    const onStep = (step: string, name: string) => tell(step, { name }, `${step} ${name}`);
    const { version, changed } = await publishTo(data, stopping(place, stop), { ...options, onStep });
    const event = changed ? "published" : "unchanged";
    tell(event, { version, changed, place: place.name }, `${event} ${version} at ${place.name}`);
    return changed ? EXIT.done : EXIT.unchanged;
  } catch (error) {
    if (!stop.aborted) throw error;
    const message = `${place.name}: interrupted; what it points to is complete`;
    throw new Failure(EXIT.interrupted, message, "run the same command again to resume", error);
  }
}

/** Begins nothing more when it is told to stop. */
function stopping(place: Place, stop: AbortSignal): Place {
  return {
    ...place,
    put: async (file, name) => {
      stop.throwIfAborted();
      await place.put(file, name);
    },
    remove: async (name) => {
      stop.throwIfAborted();
      await place.remove(name);
    },
  };
}

if (import.meta.main) await runMain(main);
