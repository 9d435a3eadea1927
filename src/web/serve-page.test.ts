import { expect, test } from 'vitest';
import { proofHeader } from './serve-page.ts';

// Who may come in, and with what, is tested over real sockets in test/web/security.test.ts.
test('the proof travels in a header that no form can send', () => {
  expect(proofHeader).toMatch(/^x-/);
});
