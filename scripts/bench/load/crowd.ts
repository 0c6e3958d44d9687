import { CROWDS, gather } from "./crowds.ts";

// `crowd URL VERSION NAME`: a crowd in a process of its own, until it is ended.
const [, , url = "", version = "", name = ""] = process.argv;
for await (const _ of gather(url, CROWDS[name]?.(version) ?? ""));
process.stdout.write("gathered\n");
