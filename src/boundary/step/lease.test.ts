import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lease } from './lease.ts';

/** A lease, and what happened to it in order. */
function recorded() {
  const events: string[] = [];
  const lease = new Lease('app', () => void events.push('released'));
  lease.closing.addEventListener('abort', () => events.push('closing'));
  return { lease, events };
}

test('gives back what was done with the handle', async () => {
  const { lease, events } = recorded();
  expect(await lease.use(() => 1)).toBe(1);
  expect(await lease.use(async () => 'later')).toBe('later');
  await expect(lease.use(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(events).toEqual([]);
});

test('releases an idle handle on close', async () => {
  const { lease, events } = recorded();
  await lease.close();
  expect(events).toEqual(['closing', 'released']);
});

test('releases when the last of the running operations has ended, and not before', async () => {
  const { lease, events } = recorded();
  const leaveOne = lease.enter();
  const leaveOther = lease.enter();
  const closed = lease.close();
  leaveOne();
  await setImmediate();
  events.push('one has left');
  leaveOther();
  await closed;
  expect(events).toEqual(['closing', 'one has left', 'released']);
});

test('waits for an operation that fails', async () => {
  const { lease, events } = recorded();
  const leave = lease.enter();
  const running = lease.use(async () => {
    leave();
    await setImmediate();
    events.push('failed');
    throw new Error('mine');
  });
  await Promise.all([expect(running).rejects.toThrow('mine'), lease.close()]);
  expect(events).toEqual(['closing', 'failed', 'released']);
});

test('refuses new operations from the moment of closing', async () => {
  const { lease } = recorded();
  const leave = lease.enter();
  const closed = lease.close();
  expect(() => lease.enter()).toThrow(expect.objectContaining({ code: 'CLOSED', data: { root: 'app' } }));
  await expect(lease.use(() => 1)).rejects.toMatchObject({ code: 'CLOSED' });
  leave();
  await closed;
  await expect(lease.use(() => 1)).rejects.toMatchObject({ code: 'CLOSED' });
});

test('leaving twice counts once', async () => {
  const { lease, events } = recorded();
  const leaveOne = lease.enter();
  const leaveOther = lease.enter();
  const closed = lease.close();
  leaveOne();
  leaveOne();
  await setImmediate();
  expect(events).toEqual(['closing']);
  leaveOther();
  await closed;
  leaveOther();
  expect(events).toEqual(['closing', 'released']);
});

test('closing twice releases once, and both wait for the same', async () => {
  const { lease, events } = recorded();
  const leave = lease.enter();
  const both = [lease.close(), lease.close()];
  events.push('leaves');
  leave();
  await Promise.all(both);
  await lease.close();
  expect(events).toEqual(['closing', 'leaves', 'released']);
});

test('tells those who would run for ever why they end', async () => {
  const { lease } = recorded();
  expect(lease.closing.aborted).toBe(false);
  await lease.close();
  expect(lease.closing.reason).toMatchObject({ code: 'CLOSED' });
});
