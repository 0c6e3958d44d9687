// The first thing that every command runs, in words that any Node reads: an older one cannot link what follows, and
// better-sqlite3 ends in a segmentation fault there.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `metasnap needs Node 22.19 or newer, this is ${process.versions.node}; ` +
      "start it with `npm run …` or `metasnap …`, which find the Node 24 that npm installs beside it on Linux " +
      "unless optional packages are left out\n",
  );
  process.exit(64);
}
