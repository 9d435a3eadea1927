import { expect, test } from 'vitest';
import { untilEnded } from './until-ended.ts';

test('waits for the given promise', async () => {
  let end = (): void => undefined;
  const waiting = untilEnded(new Promise<void>((resolve) => (end = resolve)));
  end();
  await expect(waiting).resolves.toBeUndefined();
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s is an end, and is no longer caught afterwards',
  async (signal) => {
    const before = process.listenerCount(signal);
    const waiting = untilEnded(new Promise(() => undefined));
    expect(process.listenerCount(signal)).toBe(before + 1);
    process.emit(signal);
    await expect(waiting).resolves.toBeUndefined();
    expect(process.listenerCount(signal)).toBe(before);
  },
);

test('rejects with the error, and removes its listeners', async () => {
  const before = process.listenerCount('SIGTERM');
  await expect(untilEnded(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
