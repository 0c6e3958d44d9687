import { CROWDS, gather } from "./crowds.ts";

// `crowd URL VERSION NAME` opens the connections of a crowd, and holds them until this process is ended.
const [, , url = "", version = "", name = ""] = process.argv;
for await (const _ of gather(url, CROWDS[name]?.(version) ?? ""));
process.stdout.write("gathered\n");
