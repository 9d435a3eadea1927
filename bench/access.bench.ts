import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { access, type AccessScope } from '../src/access.ts';
import { openFileSink } from '../src/audit/file-sink.ts';
import { openBoundary } from '../src/boundary/open-boundary.ts';
import { toFileUri } from '../src/path/file-uri.ts';
import { parseRoots } from '../src/path/root.ts';
import { parsePolicy } from '../src/policy/rules/policy.ts';
import { openWorkspace } from '../src/workspace/workspace.ts';
import type { Measurement, Suite } from './suite.ts';
import { timeOne } from './time-pair.ts';

/** What does it cost to decide, and to write the decision down? */
export const accessSuite: Suite = {
  name: 'access',
  async run() {
    const top = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
    try {
      mkdirSync(join(top, 'log'));
      mkdirSync(join(top, 'app/src'), { recursive: true });
      writeFileSync(join(top, 'app/src/main.ts'), 'x');
      return [await recordedDecision(top)];
    } finally {
      rmSync(top, { recursive: true });
    }
  },
};

/** Microseconds that a decision with its audit line may take. */
const budget = 40;

async function recordedDecision(top: string): Promise<Measurement> {
  await using log = await openBoundary(join(top, 'log'));
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(join(top, 'app')) }]).roots);
  const audit = await openFileSink(log);
  const scope: AccessScope = { workspace, policy: parsePolicy({}), audit, caller: 'bench' };
  const request = { operation: 'read', path: join(top, 'app/src/main.ts') } as const;
  const ours = await timeOne(async (count) => {
    for (let index = 0; index < count; index += 1) await access(scope, request, () => true);
  });
  await audit.close();
  return {
    name: 'a decision and its audit line',
    against: `a budget of ${budget} µs`,
    ours,
    theirs: budget * 1_000,
    target: { kind: 'within', factor: 1 },
  };
}
