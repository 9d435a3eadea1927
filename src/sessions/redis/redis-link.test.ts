import { expect, test, vi } from 'vitest';
import { type CommandLink, revive } from './redis-link.ts';

const never = new Promise<never>(() => {});

function open(...answers: readonly (() => Promise<unknown>)[]): CommandLink & { renewed: () => number } {
  const left = [...answers];
  let renewed = 0;
  return {
    ping: () => (left.length > 1 ? left.shift() : left[0])?.() ?? never,
    renew: () => (renewed += 1),
    silence: 50,
    renewed: () => renewed,
  };
}

const pong = () => Promise.resolve('PONG');
const refuse = () => Promise.reject(new Error('LOADING'));
const { signal } = new AbortController();

test('lines that answer are left alone', async () => {
  const lines = [open(pong), open(pong)];
  await revive(() => lines, signal);
  expect(lines.map((line) => line.renewed())).toEqual([0, 0]);
});

test('a silent line is renewed, and the others are not', async () => {
  const [silent, other] = [open(() => never, pong), open(pong)];
  await revive(() => [silent, other], signal);
  expect([silent.renewed(), other.renewed()]).toEqual([1, 0]);
});

test('a line that refuses is pinged again, and keeps its connection', async () => {
  const line = open(refuse, refuse, pong);
  await revive(() => [line], signal);
  expect(line.renewed()).toBe(0);
});

test('a line that denies the ping has answered', async () => {
  const line = open(() => Promise.reject(new Error('NOPERM this user may not run PING')));
  await revive(() => [line], signal);
  expect(line.renewed()).toBe(0);
});

test('a line that is gone is not pinged', async () => {
  const lines = vi
    .fn<() => readonly CommandLink[]>()
    .mockReturnValueOnce([open(refuse)])
    .mockReturnValue([]);
  await revive(lines, signal);
  expect(lines).toHaveBeenCalledTimes(2);
});

test('it ends with its signal', async () => {
  const control = new AbortController();
  const reviving = revive(() => [open(refuse)], control.signal);
  control.abort();
  await expect(reviving).resolves.toBeUndefined();
});
