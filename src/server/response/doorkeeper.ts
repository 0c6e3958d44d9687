/** Hardly any entry is smaller, so there are enough slots that two entries seldom share one. */
const MIN_ENTRY_BYTES = 1024;

/**
 * A doorkeeper in front of a cache of `maxBytes`: true on the second request for an entry within roughly one lifetime in that
 * cache. One-off requests would only evict what is asked for often. An entry is known by 32 bits and has one slot, which
 * remembers the last entry that used it: memory is fixed.
 */
export function createDoorkeeper(maxBytes: number) {
  const slots = Math.ceil(maxBytes / MIN_ENTRY_BYTES);
  const entries = new Uint32Array(slots);
  const seenAt = new Float64Array(slots);
  let seenBytes = 0;
  return (entry: number, bytes: number): boolean => {
    const slot = entry % slots;
    const isSecond = entries[slot] === entry && seenBytes - (seenAt[slot] ?? 0) < maxBytes;
    seenBytes += bytes;
    entries[slot] = entry;
    seenAt[slot] = seenBytes;
    return isSecond;
  };
}
