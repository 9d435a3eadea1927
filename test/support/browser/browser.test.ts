import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.ts';

test('the browser leaves signals to the tests that raise them', async () => {
  await sharedBrowser();
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  expect(signals.flatMap((signal) => process.listeners(signal))).toEqual([]);
});
