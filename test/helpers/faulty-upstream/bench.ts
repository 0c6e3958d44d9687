import { afterAll, beforeEach, expect } from "vitest";
import { startFaultyUpstream } from "../upstream/faulty-upstream.ts";
import type { FaultName } from "./faults.ts";
import { startPlainTarget } from "./plain-target.ts";
import { ask, type Raw } from "./raw-client.ts";

/** A plain target with the faulty upstream before it, for the tests of one file. */
export async function setUpBench() {
  const target = await startPlainTarget();
  const upstream = await startFaultyUpstream(target.url);
  /** Faults that were put in force. */
  const tried = new Set<FaultName>();

  afterAll(async () => {
    await upstream.close();
    await target.close();
  });
  beforeEach(() => {
    upstream.rules = [];
    upstream.reset();
  });

  function arm(fault: FaultName, knobs: Record<string, unknown> = {}): void {
    tried.add(fault);
    upstream.reset();
    upstream.rules = [{ fault, with: knobs }];
  }

  /** Asks with the fault in force and proves that it was injected. */
  async function meet(fault: FaultName, path = "/list", knobs: Record<string, unknown> = {}): Promise<Raw> {
    arm(fault, knobs);
    const raw = await ask(upstream.url, path);
    expect(upstream.counts()).toEqual({ [fault]: 1 });
    expect(upstream.log).toMatchObject([{ path, fault, inFlight: 1 }]);
    return raw;
  }

  /** Asks with the fault in force and proves that it had nothing to change. */
  async function miss(fault: FaultName, path: string): Promise<void> {
    arm(fault);
    const before = target.seen.requests;
    const raw = await ask(upstream.url, path);
    // Not once for the fault and once more to pass.
    expect(target.seen.requests - before).toBe(1);
    expect(raw.body).toEqual((await ask(target.url, path)).body);
    expect(upstream.counts()).toEqual({});
  }

  return { target, upstream, tried, arm, meet, miss };
}
