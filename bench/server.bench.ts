import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { overhead } from './server-overhead.ts';
import { openPair } from './server-pair.ts';
import type { Measurement, Suite } from './suite.ts';

/** What does it cost a tool to know its workspace? 2025 era, in-memory transport, SDK v2 on both sides. */
export const serverSuite: Suite = {
  name: 'server',
  async run() {
    const top = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
    try {
      writeFileSync(join(top, 'package.json'), '{"name":"bench"}');
      return [await overhead(top), await asks(top), await heapGrowth(top)];
    } finally {
      rmSync(top, { recursive: true });
    }
  },
};

/** 50 connections with 20 calls each and one change in the middle. */
async function asks(root: string): Promise<Measurement> {
  let asked = 0;
  for (let index = 0; index < 50; index += 1) {
    await using pair = await openPair(root, true);
    for (let call = 0; call < 10; call += 1) await pair.call();
    await pair.client.sendRootsListChanged();
    for (let call = 0; call < 10; call += 1) await pair.call();
    asked += pair.asked();
  }
  return {
    name: 'roots/list of 50 connections with one change each',
    against: 'one per connection and change',
    ours: asked,
    theirs: 100,
    unit: 'requests',
    target: { kind: 'within', factor: 1 },
  };
}

/**
 * Objects that stay, and nothing else: code that V8 compiles anew while it learns about the program takes memory
 * too, with or without us, so it is told to leave that for as long as this runs.
 */
async function heapGrowth(root: string): Promise<Measurement> {
  const openAndClose = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index += 1) {
      await using pair = await openPair(root, true);
      await pair.call();
    }
    return heapAtRest();
  };
  setFlagsFromString('--no-opt');
  try {
    const theirs = await openAndClose(1_000);
    const ours = await openAndClose(10_000);
    return {
      name: 'heap after 10,000 more connections',
      against: 'heap after the first 1,000',
      ours,
      theirs,
      unit: 'bytes',
      target: { kind: 'within', factor: 1.01 },
    };
  } finally {
    setFlagsFromString('--opt');
  }
}

async function heapAtRest(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
