/** All bytes of a body. Rejects with a RangeError beyond `maxBytes`, and with what the stream rejects with. */
export async function readUpTo(maxBytes: number, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RangeError(`more than ${maxBytes} bytes`);
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}
