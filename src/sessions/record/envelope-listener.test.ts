import { expect, test } from 'vitest';
import { EnvelopeListener } from './envelope-listener.ts';

const envelope = { session: 's', principal: 'p', message: {} };

test('reports whether the listener wanted a message, and whether there is one', () => {
  const listener = new EnvelopeListener();
  expect(listener.deliver(envelope)).toBe('no-node');
  listener.set(() => true);
  expect(listener.deliver(envelope)).toBe('accepted');
  listener.set(() => false);
  expect(listener.deliver(envelope)).toBe('refused');
  listener.clear();
  expect(listener.deliver(envelope)).toBe('no-node');
});

test('a listener that was replaced cannot remove its successor', () => {
  const listener = new EnvelopeListener();
  const removeFirst = listener.set(() => true);
  const removeSecond = listener.set(() => false);
  removeFirst();
  expect(listener.deliver(envelope)).toBe('refused');
  removeSecond();
  expect(listener.deliver(envelope)).toBe('no-node');
});
