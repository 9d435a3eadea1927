import { expect, test } from 'vitest';
import { RootwardError } from '../errors.ts';
import { auditClosed, toAuditFailure } from './audit-failure.ts';

test('says what failed in the middle of its sentence, and keeps the cause to itself', () => {
  const cause = new RootwardError('NO_SPACE', { verb: 'append to', path: 'audit.jsonl' });
  const failure = toAuditFailure(cause);
  expect(failure.message).toBe(
    'Cannot record the decision: cannot append to "audit.jsonl": there is no space left',
  );
  expect(failure.cause).toBe(cause);
  expect(JSON.stringify(failure)).not.toContain('cause');
});

test('tells nothing of an error that is not ours', () => {
  const failure = toAuditFailure(new Error('EIO: /home/me/secret'));
  expect(failure.message).toBe('Cannot record the decision: the sink failed');
  expect(JSON.stringify(failure)).not.toContain('secret');
});

test('leaves a failure of the audit as it is', () => {
  const failure = auditClosed();
  expect(toAuditFailure(failure)).toBe(failure);
  expect(failure.message).toBe('Cannot record the decision: the audit is closed');
});
