import { describe, expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { type TempTree, tempTree } from '../testing/temp-tree.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { AccessRequest } from './decide.ts';
import { enforce } from './enforce.ts';
import { parsePolicy } from './policy.ts';

const yes = { verdict: 'allow', rule: 'allow:x', reason: 'for the test' } as const;

function open(tree: TempTree, ...names: readonly string[]): Promise<Workspace> {
  return openWorkspace(parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots);
}

describe('enforce', () => {
  test('refuses without a location and without a yes', async () => {
    using tree = tempTree(['app/a']);
    await using workspace = await open(tree, 'app');
    const scope = { workspace, policy: parsePolicy({}) };
    const request: AccessRequest = { operation: 'read', path: 'a' };
    const location = workspace.locate('a');
    expect(() => enforce(scope, request, undefined, yes)).toThrow(
      expect.objectContaining({ code: 'OUTSIDE_ROOTS' }),
    );
    for (const verdict of ['deny', 'ask'] as const) {
      expect(() => enforce(scope, request, location, { ...yes, verdict })).toThrow(
        expect.objectContaining({
          code: 'DENIED',
          data: { ...request, root: 'app', rule: yes.rule, reason: yes.reason },
        }),
      );
    }
  });

  test('asks the policy about the names that are really there', async () => {
    using tree = tempTree(['app/.env', 'app/harmless => .env', 'app/keys/a.pem', 'app/k => keys']);
    await using workspace = await open(tree, 'app');
    const scope = { workspace, policy: parsePolicy({ preset: 'write-in-project' }) };
    for (const path of ['harmless', 'k/a.pem']) {
      const { boundary } = enforce(scope, { operation: 'read', path }, workspace.locate(path), yes);
      await expect(boundary.readText(path)).rejects.toMatchObject({ code: 'DENIED' });
      await expect(workspace.roots[0]?.boundary.readText(path)).resolves.toBeTypeOf('string');
    }
  });

  test('holds for every operation on the boundary, not only the one that was asked for', async () => {
    using tree = tempTree(['app/a']);
    await using workspace = await open(tree, 'app');
    const scope = { workspace, policy: parsePolicy({ allow: ['read'], ask: ['write', 'remove'] }) };
    const { boundary } = enforce(scope, { operation: 'write', path: 'a' }, workspace.locate('a'), yes);
    await boundary.write('a', 'agreed to');
    await expect(boundary.remove('a')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.list('.')).resolves.toMatchObject({ entries: [] });
  });

  test('a nested root has its own rules, however it is reached', async () => {
    using tree = tempTree(['app/docs/a.md', 'app/src/', 'app/l => docs']);
    await using workspace = await open(tree, 'app', 'app/docs');
    const policy = parsePolicy({ preset: 'write-in-project', roots: { docs: { preset: 'read-only' } } });
    for (const path of [`${tree.at('app')}/src/../docs/a.md`, tree.at('app/l/a.md')]) {
      const request: AccessRequest = { operation: 'write', path };
      const location = workspace.locate(path);
      expect(location?.root.name).toBe('app');
      const { boundary, relative } = enforce({ workspace, policy }, request, location, yes);
      await expect(boundary.write(relative, 'x')).rejects.toMatchObject({
        code: 'DENIED',
        data: { root: 'docs' },
      });
    }
  });
});
