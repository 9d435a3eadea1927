import { expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { ExposureLog } from './exposure-log.ts';
import type { RootExposure } from './exposure.ts';

function exposure(name: string, state: RootExposure['state'], rule = 'r'): RootExposure {
  return { root: sampleRoot({ name }), state, rule, reason: 'why' };
}

function create(): { log: ExposureLog; told: () => readonly string[] } {
  const audit = createMemorySink();
  let seen = 0;
  const told = (): readonly string[] => {
    const entries = audit.entries().slice(seen);
    seen += entries.length;
    return entries.map(({ event, root, verdict, outcome }) => `${event} ${root} ${verdict} ${outcome}`);
  };
  const log = new ExposureLog({ audit, server: 'files', now: () => new Date(), revision: () => 7 });
  return { log, told };
}

test('records the differences between two lists', async () => {
  const { log, told } = create();
  await log.record([exposure('a', 'shown'), exposure('b', 'hidden'), exposure('c', 'redacted')]);
  expect(told()).toEqual(['exposure a allow done', 'refusal b deny refused', 'exposure c allow done']);
  await log.record([exposure('a', 'shown'), exposure('b', 'hidden'), exposure('c', 'redacted')]);
  expect(told()).toEqual([]);
  await log.record([exposure('a', 'hidden'), exposure('b', 'shown'), exposure('c', 'shown')]);
  expect(told()).toEqual(['withdrawal a deny done', 'exposure b allow done', 'exposure c allow done']);
  await log.record([]);
  expect(told()).toEqual(['withdrawal b deny done', 'withdrawal c deny done']);
  await log.record([exposure('b', 'shown')]);
  expect(told()).toEqual(['exposure b allow done']);
});

test('records an answer with its server', async () => {
  const audit = createMemorySink();
  const log = new ExposureLog({ audit, server: 'files', now: () => new Date(), revision: () => 7 });
  await log.recordAnswer(sampleRoot(), 'always');
  await log.recordAnswer(sampleRoot(), 'dismissed');
  expect(audit.entries()).toMatchObject([
    {
      event: 'grant',
      caller: 'files',
      root: 'app',
      path: '/srv/app',
      verdict: 'allow',
      rule: 'consent:always',
      revision: 7,
    },
    { event: 'grant', verdict: 'deny', rule: 'consent:dismissed', outcome: 'done' },
  ]);
});

test('nothing is recorded without a sink', async () => {
  const log = new ExposureLog({
    audit: undefined,
    server: 'files',
    now: () => new Date(),
    revision: () => 1,
  });
  await log.ready();
  await expect(log.record([exposure('a', 'shown')])).resolves.toBeUndefined();
});
