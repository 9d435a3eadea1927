import { describe, expect, test } from 'vitest';
import { createMemorySink } from '../../audit/sink.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { checkAccess } from './path-check.ts';

const policy = parsePolicy({ preset: 'write-in-project' });

function open(path: string): Promise<Workspace> {
  return openWorkspace(parseRoots([{ uri: toFileUri(path), name: 'app' }]).roots);
}

describe('checkPath', () => {
  test('returns the target of a link', async () => {
    using tree = tempTree(['ROOT/src/a.ts', 'ROOT/l => src']);
    await using workspace = await open(tree.at('ROOT'));
    expect(await checkAccess({ workspace, policy }, { operation: 'read', path: 'l/a.ts' })).toEqual({
      allowed: true,
      rule: 'preset:write-in-project',
      reason: 'preset "write-in-project" allows "read"',
      root: 'app',
      place: 'src/a.ts',
      kind: 'file',
    });
  });

  test('returns a free name', async () => {
    using tree = tempTree(['ROOT/']);
    await using workspace = await open(tree.at('ROOT'));
    const answer = await checkAccess({ workspace, policy }, { operation: 'write', path: 'new.ts' });
    expect(answer).toMatchObject({ allowed: true, place: 'new.ts' });
    expect(answer).not.toHaveProperty('kind');
  });

  test('refuses a path outside, and a link that leads out', async () => {
    using tree = tempTree(['ROOT/out => ../secret', 'secret']);
    await using workspace = await open(tree.at('ROOT'));
    for (const path of ['../secret', 'out', tree.at('secret')]) {
      expect(await checkAccess({ workspace, policy }, { operation: 'read', path })).toMatchObject({
        allowed: false,
        rule: 'outside-roots',
        code: 'OUTSIDE_ROOTS',
        hint: 'Roots are: app',
      });
    }
  });

  test('tells that a person would be asked, and asks none', async () => {
    using tree = tempTree(['ROOT/a.ts']);
    await using workspace = await open(tree.at('ROOT'));
    const audit = createMemorySink();
    let asked = 0;
    const ask = (): boolean => (asked += 1) > 0;
    const scope = { workspace, policy: parsePolicy({ allow: ['read', 'list'], ask: ['write'] }), audit, ask };
    expect(await checkAccess(scope, { operation: 'write', path: 'a.ts' })).toMatchObject({
      allowed: false,
      rule: 'ask:write',
      code: 'DENIED',
    });
    expect(asked).toBe(0);
    expect(audit.entries()).toMatchObject([{ event: 'look', rule: 'ask:write', outcome: 'refused' }]);
    expect(JSON.stringify(audit.entries())).not.toContain('no person can be asked');
  });

  test('names the rule that a link tried to avoid', async () => {
    using tree = tempTree(['ROOT/.env', 'ROOT/harmless => .env']);
    await using workspace = await open(tree.at('ROOT'));
    expect(await checkAccess({ workspace, policy }, { operation: 'read', path: 'harmless' })).toMatchObject({
      allowed: false,
      rule: 'deny:.env',
      code: 'DENIED',
    });
  });
});
