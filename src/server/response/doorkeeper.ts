/** Entries have at least about so many bytes: enough places that two of them seldom share one. */
const SMALLEST = 1024;

/**
 * Lets in what is asked for a second time while a cache of so many bytes would still hold it, had it been kept at the first:
 * what is asked for once would only push out what is asked for often. Each entry, known by 32 bits, has one place, which it
 * shares with others; the last one there is remembered. Takes no memory while it works.
 */
export function createDoorkeeper(maxBytes: number) {
  const places = Math.ceil(maxBytes / SMALLEST);
  const entries = new Uint32Array(places);
  const seenAt = new Float64Array(places);
  let seen = 0;
  return (entry: number, bytes: number): boolean => {
    const place = entry % places;
    const isSecond = entries[place] === entry && seen - (seenAt[place] ?? 0) < maxBytes;
    seen += bytes;
    entries[place] = entry;
    seenAt[place] = seen;
    return isSecond;
  };
}
