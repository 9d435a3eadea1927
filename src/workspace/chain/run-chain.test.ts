import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../../test/memory-disk.ts';
import { createChainContext } from './chain-context.ts';
import { runChain } from './run-chain.ts';
import type { Signals } from '../sources/signals.ts';

const disk = memoryDisk(['/home/u/app', '/home/u/app/.git', '/home/u/.git', '/home/u/plain']);
const around = { platform: 'posix', home: '/home/u' } as const;

function run(signals: Signals) {
  return runChain(createChainContext(signals, {}, { around, disk }));
}

describe('runChain', () => {
  test('asks no source after the one that was chosen, but notes what it would have said', async () => {
    const { chosen, trail } = await run({ pinned: '/home/u/app', cwd: '/home/u/plain' });
    expect(chosen?.source.name).toBe('pinned');
    expect(trail.find(({ source }) => source === 'walk-up')).toEqual({
      source: 'walk-up',
      outcome: 'passed',
      offered: ['/home/u/plain'],
      reason: 'an earlier source settled it',
    });
  });

  test('goes on after a source that named nothing usable', async () => {
    const { chosen, trail, issues } = await run({
      initialize: { rootUri: 'file:///gone' },
      cwd: '/home/u/app',
    });
    expect(chosen?.source.name).toBe('walk-up');
    expect(trail[6]).toMatchObject({ source: 'initialize', outcome: 'refused', reason: 'it does not exist' });
    expect(issues.map(({ code }) => code)).toEqual(['missing']);
  });

  test('lets nobody answer for somebody who said so on purpose', async () => {
    const { chosen, trail } = await run({ pinned: '/gone', cwd: '/home/u/app' });
    expect(chosen).toBeUndefined();
    expect(trail[1]).toMatchObject({ source: 'pinned', outcome: 'refused', reason: 'it does not exist' });
    expect(trail.find(({ source }) => source === 'walk-up')?.outcome).toBe('passed');
  });

  test('takes no project that lies where none can be', async () => {
    const { chosen, trail } = await run({ cwd: '/home/u/plain' });
    expect(chosen).toBeUndefined();
    expect(trail.at(-2)?.reason).toContain('home directory');
  });
});
