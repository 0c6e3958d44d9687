import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import type { RangeFile } from "./range-file.ts";

const PATH_BYTES = 64;
const SECTOR_BYTES = 4096;

/** Registers a virtual file system (https://sqlite.org/vfs.html) with one file, for reading only, under its own name. */
export function installVfs({ capi, wasm, vfs }: Sqlite3Static, name: string, file: RangeFile) {
  // The types do not know the members that the structures have.
  const io = Object.assign(new capi.sqlite3_io_methods(), { $iVersion: 1 });
  const methods = new capi.sqlite3_vfs();
  methods.$iVersion = 2;
  methods.$szOsFile = (capi.sqlite3_file as unknown as { structInfo: { sizeof: number } }).structInfo.sizeof;
  methods.$mxPathname = PATH_BYTES;
  // Chance and the clock are those of the file system that is there already.
  const inherited = ["$xRandomness", "$xSleep", "$xCurrentTime", "$xCurrentTimeInt64", "$xGetLastError"];
  const present = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null as unknown as string));
  Object.assign(methods, Object.fromEntries(inherited.map((method) => [method, Reflect.get(present, method)])));
  present.dispose();
  const done = () => capi.SQLITE_OK;
  const refuse = () => capi.SQLITE_READONLY;
  vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: done,
        xRead(_, target, length, offset) {
          try {
            const read = file.read(Number(offset), length);
            const heap = wasm.heap8u();
            heap.set(read, Number(target));
            if (read.length === length) return capi.SQLITE_OK;
            heap.fill(0, Number(target) + read.length, Number(target) + length);
            return capi.SQLITE_IOERR_SHORT_READ;
          } catch {
            // What went wrong is in the file.
            return capi.SQLITE_IOERR_READ;
          }
        },
        xWrite: refuse,
        xTruncate: refuse,
        xSync: done,
        xFileSize(_, target) {
          wasm.poke64(target, BigInt(file.size));
          return capi.SQLITE_OK;
        },
        xLock: done,
        xUnlock: done,
        xCheckReservedLock(_, target) {
          wasm.poke32(target, 0);
          return capi.SQLITE_OK;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => SECTOR_BYTES as typeof capi.SQLITE_OK,
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE as unknown as typeof capi.SQLITE_OK,
      },
    },
    vfs: {
      struct: methods,
      name,
      methods: {
        xOpen(_, __, opened, flags, flagsOut) {
          if ((flags & capi.SQLITE_OPEN_MAIN_DB) === 0) return capi.SQLITE_CANTOPEN;
          new capi.sqlite3_file(opened).$pMethods = io.pointer;
          if (flagsOut) wasm.poke32(flagsOut, capi.SQLITE_OPEN_READONLY);
          return capi.SQLITE_OK;
        },
        xDelete: () => capi.SQLITE_READONLY,
        xAccess(_, __, ___, target) {
          wasm.poke32(target, 0);
          return capi.SQLITE_OK;
        },
        xFullPathname: (_, path, length, target) =>
          wasm.cstrncpy(target, path, length) < length ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN,
      },
    },
  });
}
