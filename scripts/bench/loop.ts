import { Pool } from "undici";

// The yardstick of a crawl: the same paths at the same concurrency, the bodies thrown away.
process.once(
  "message",
  async ({ upstream, paths, concurrency }: { upstream: string; paths: string[]; concurrency: number }) => {
    const pool = new Pool(upstream, { connections: concurrency });
    const waiting = paths.values();
    const started = performance.now();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const path of waiting) await (await pool.request({ path, method: "GET" })).body.dump();
      }),
    );
    process.send?.(performance.now() - started);
    process.disconnect();
    await pool.close();
  },
);
