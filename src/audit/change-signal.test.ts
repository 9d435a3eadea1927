import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { ChangeSignal } from './change-signal.ts';

test('reports a change at once, and several changes as one', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const changes = new ChangeSignal(boundary, undefined);
  for (let file = 0; file < 100; file += 1) writeFileSync(tree.at(String(file)), '');
  expect(await changes.next()).toBe(true);
  changes.close();
});

test('checks at intervals where the system reports no changes', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  vi.spyOn(boundary, 'watch').mockImplementation(() => {
    throw new Error('ENOSPC');
  });
  const changes = new ChangeSignal(boundary, undefined);
  expect(await changes.next()).toBe(true);
  expect(await changes.next()).toBe(true);
  changes.close();
});

test('keeps checking when the watch of the system ends', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  vi.spyOn(boundary, 'watch').mockImplementation(async function* fail() {
    yield { kind: 'change', path: 'a' } as const;
    throw new Error('EMFILE');
  });
  const changes = new ChangeSignal(boundary, undefined);
  for (let look = 0; look < 3; look += 1) expect(await changes.next()).toBe(true);
  changes.close();
});

test('ends with its signal, even during a wait', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const stop = new AbortController();
  const changes = new ChangeSignal(boundary, stop.signal);
  const waiting = changes.next();
  stop.abort();
  expect(await waiting).toBe(false);
  expect(await changes.next()).toBe(false);
  changes.close();
});

test('ends at once if the signal was already aborted', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const changes = new ChangeSignal(boundary, AbortSignal.abort());
  expect(await changes.next()).toBe(false);
  changes.close();
});

test('ends a pending wait when the boundary is closed', async () => {
  using tree = tempTree();
  const boundary = await openBoundary(tree.path);
  const changes = new ChangeSignal(boundary, undefined);
  const waiting = changes.next();
  await boundary.close();
  expect(await waiting).toBe(true);
  changes.close();
});
