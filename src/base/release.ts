/**
 * Code that belongs to no room: files, processes, progress, words of messages. It imports nothing of ours.
 *
 * This file is how commands change a folder that others read: drafts are written and synced, then take their names in stages (`Release`).
 *
 * The trap: a kill leaves drafts behind, and the next run of the same writer removes them (`sweep`, `openStage`). So each writer holds a
 * lock; otherwise it would remove the drafts of a run that is alive.
 */

import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncPath, makeFolder, writeAnew } from "./files.ts";

/**
 * A change of one file: a draft takes its name, a text is written there, or it goes. A draft lies on the same file system, and may be a
 * file that had another name until now.
 */
export type Change = { file: string } & (
  | { draft: string /** It may be lost with the power: the next run compares its bytes. */; unsynced?: true }
  | { text: string }
  | { gone: true }
);

/**
 * The new state of a folder: stages of changes, each on the disk before the next begins. What names files comes in a later stage than
 * they do, so that a kill at any moment leaves what was or what is to those who read the index.
 */
export type Release = readonly (readonly Change[])[];

/** The path at which a file is written before it takes its own name. */
export const draftOf = (file: string) => `${file}.draft`;

/** Makes the changes in their order. The drafts of texts have the names that `nameDraft` gives. */
export function release(stages: Release, nameDraft = draftOf): void {
  for (const changes of stages) {
    const drafts = changes.map((change) => prepare(change, nameDraft));
    const touched = changes.flatMap((change, at) => place(change, drafts[at]));
    for (const folder of new Set(touched)) fsyncPath(folder);
  }
}

/** Returns the draft, which is whole and on the disk; undefined if the file is to go. */
function prepare(change: Change, nameDraft: (file: string) => string): string | undefined {
  if ("gone" in change) return undefined;
  const draft = "draft" in change ? change.draft : nameDraft(change.file);
  if ("text" in change) writeAnew(draft, change.text);
  if (!("unsynced" in change)) fsyncPath(draft);
  return draft;
}

/** Returns the folders whose names have to be on the disk. */
function place(change: Change, draft: string | undefined): string[] {
  const { file } = change;
  const folders = [dirname(file)];
  if (draft === undefined) rmSync(file, { force: true });
  else {
    for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) folders.push(dirname(folder));
    makeFolder(dirname(file));
    renameSync(draft, file);
  }
  return "unsynced" in change ? [] : folders.filter(existsSync);
}

/** Puts a text in place of a file, completely or not at all. */
export const replaceFile = (file: string, text: string) => release([[{ file, text }]]);

/** Removes the files of a folder whose names say that a killed run has left them. */
export function sweep(folder: string, isLeft: (name: string) => boolean): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (isLeft(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** A folder of drafts beside what they are to be. */
export interface Stage extends Disposable {
  /** The path at which a draft of this name is to be written. */
  draft(name: string): string;
  /** Makes changes of the folder around it, texts included. */
  release(stages: Release): void;
}

/** The name of a stage. Readers of data sets pass over names that begin with a dot. */
export const stageName = (name: string) => `.draft-${name}`;

/** Removes the stage that a killed run of this writer has left. A link to another folder may be in its place. */
export const sweepStage = (folder: string, name: string) =>
  rmSync(join(folder, stageName(name)), { recursive: true, force: true });

/** Opens a stage, without what a killed run has left in it. Each writer of a folder has a name, and a lock. */
export function openStage(folder: string, name: string): Stage {
  const path = join(folder, stageName(name));
  const clear = () => sweepStage(folder, name);
  const draft = (of: string) => join(path, of);
  clear();
  makeFolder(path);
  return {
    draft,
    release: (stages) => release(stages, (file) => draft(`text-${basename(file)}`)),
    [Symbol.dispose]: clear,
  };
}
