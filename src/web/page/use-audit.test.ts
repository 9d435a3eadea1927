import { expect, test } from 'vitest';
import { useAudit } from './use-audit.ts';

test('needs a page around it', () => {
  expect(() => useAudit({})).toThrow();
});
