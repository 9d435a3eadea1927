import type { AuditEntry } from '../../../src/audit/entry.ts';

export function sampleEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    time: '2025-06-01T12:00:00.000Z',
    caller: 'test 1',
    operation: 'read',
    path: 'src/a.ts',
    root: 'app',
    verdict: 'allow',
    rule: 'allow:read',
    outcome: 'done',
    duration: 0.125,
    revision: 1,
    ...changes,
  };
}
