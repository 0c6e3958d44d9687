// The first import of every command. Under an older Node better-sqlite3 ends in a segmentation fault and undici does not
// load: say so before either of them runs.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `metasnap needs Node 22.19 or newer, this is ${process.versions.node}; ` +
      "start it with `npm run …`, which finds the Node 24 that `npm ci` installs on Linux\n",
  );
  process.exit(64);
}
