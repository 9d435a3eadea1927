import { expect, test } from 'vitest';
import { createMemorySink } from '../../audit/sink.ts';
import { RootwardError } from '../../errors.ts';
import { createChangeLog } from './change-log.ts';

const now = (): Date => new Date('2026-01-01T00:00:00.000Z');

test('records a change with its outcome', async () => {
  const audit = createMemorySink();
  let revision = 1;
  const log = createChangeLog({ audit, caller: 'page', now, revision: () => revision });
  const result = await log.around('rename', { path: 'app', root: { name: 'app' } }, async () => {
    revision = 2;
    return 'x';
  });
  const failing = log.around('remove', { path: 'y', root: undefined }, async () => {
    throw new RootwardError('UNKNOWN_ROOT', { root: 'y', known: [] });
  });
  await expect(failing).rejects.toMatchObject({ code: 'UNKNOWN_ROOT' });
  expect(result).toBe('x');
  expect(audit.entries()).toEqual([
    {
      time: '2026-01-01T00:00:00.000Z',
      caller: 'page',
      event: 'change',
      operation: 'write',
      path: 'app',
      root: 'app',
      verdict: 'allow',
      rule: 'store:rename',
      outcome: 'done',
      duration: expect.any(Number),
      revision: 2,
    },
    expect.objectContaining({ rule: 'store:remove', outcome: 'failed', code: 'UNKNOWN_ROOT', revision: 2 }),
  ]);
});

test('does not begin a change that cannot be recorded', async () => {
  const audit = createMemorySink();
  await audit.close();
  const log = createChangeLog({ audit, revision: () => 1 });
  let isBegun = false;
  const change = log.around('add', { path: 'a', root: undefined }, async () => {
    isBegun = true;
  });
  await expect(change).rejects.toMatchObject({ code: 'AUDIT_FAILED' });
  expect(isBegun).toBe(false);
});

test('warns about an edit that cannot be recorded', async () => {
  const audit = createMemorySink();
  await audit.close();
  const warned = new Promise((resolve) => process.once('warning', resolve));
  createChangeLog({ audit, revision: () => 1 }).recordEdit('roots.jsonc');
  expect(await warned).toMatchObject({ name: 'RootStoreWarning' });
});

test('records nothing without a sink', async () => {
  const log = createChangeLog({ revision: () => 1 });
  log.recordEdit('roots.jsonc');
  expect(await log.around('add', { path: 'a', root: undefined }, async () => 1)).toBe(1);
});
