import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { type TempTree, tempTree } from '../testing/temp-tree.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { type AccessRequest, decide, toPolicyLocation } from './decide.ts';
import { actWithin, enforce } from './enforce.ts';
import { parsePolicy } from './rules/policy.ts';

const yes = { verdict: 'allow', rule: 'allow:x', reason: 'for the test' } as const;

function open(tree: TempTree, ...names: readonly string[]): Promise<Workspace> {
  return openWorkspace(parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots);
}

describe('enforce', () => {
  test('refuses without a location, and without an allowing decision', async () => {
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

  test('checks the policy for the real names', async () => {
    using tree = tempTree(['app/.env', 'app/harmless => .env', 'app/keys/a.pem', 'app/k => keys']);
    await using workspace = await open(tree, 'app');
    const scope = { workspace, policy: parsePolicy({ preset: 'write-in-project' }) };
    for (const path of ['harmless', 'k/a.pem']) {
      const {
        location: { boundary },
      } = enforce(scope, { operation: 'read', path }, workspace.locate(path), yes);
      await expect(boundary.readText(path)).rejects.toMatchObject({ code: 'DENIED' });
      await expect(workspace.roots[0]?.boundary.readText(path)).resolves.toBeTypeOf('string');
    }
  });

  test('covers every operation on the boundary, not only the requested one', async () => {
    using tree = tempTree(['app/a']);
    await using workspace = await open(tree, 'app');
    const scope = { workspace, policy: parsePolicy({ allow: ['read'], ask: ['write', 'remove'] }) };
    const agreed = { ...yes, agreed: { relative: 'a', links: [], whole: false } };
    const {
      location: { boundary },
    } = enforce(scope, { operation: 'write', path: 'a' }, workspace.locate('a'), agreed);
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
      const {
        location: { boundary, relative },
      } = enforce({ workspace, policy }, request, location, yes);
      await expect(boundary.write(relative, 'x')).rejects.toMatchObject({
        code: 'DENIED',
        data: { root: 'docs' },
      });
    }
  });

  test('consent for one root does not cover another that a link leads to', async () => {
    using tree = tempTree(['app/docs/f.txt', 'app/x => docs/f.txt', 'app/sub/keep/g']);
    await using workspace = await open(tree, 'app', 'app/docs', 'app/sub/keep');
    const asking = { preset: 'ask-before-write' };
    const policy = parsePolicy({
      allow: ['read', 'list', 'write', 'remove'],
      roots: { docs: asking, keep: asking },
    });
    const scope = { workspace, policy };
    const path = tree.at('app/x');
    const write = enforce(scope, { operation: 'write', path }, workspace.locate(path), yes);
    await expect(write.location.boundary.write('x', 'changed')).rejects.toMatchObject({
      data: { root: 'docs' },
    });
    const sub = tree.at('app/sub');
    const remove = enforce(scope, { operation: 'remove', path: sub }, workspace.locate(sub), yes);
    await expect(remove.location.boundary.remove('sub', { tree: true })).rejects.toMatchObject({
      data: { root: 'keep' },
    });
    expect(readFileSync(tree.at('app/docs/f.txt'), 'utf8')).toBe('app/docs/f.txt');
    expect(readFileSync(tree.at('app/sub/keep/g'), 'utf8')).toBe('app/sub/keep/g');
  });

  test('an entry that must not be read or removed cannot be renamed into one that may', async () => {
    using tree = tempTree(['app/vault/k', 'app/open/']);
    await using workspace = await open(tree, 'app');
    const policy = parsePolicy({
      allow: ['read', 'list', 'write', 'remove'],
      deny: [{ glob: '/vault', operations: ['read', 'remove'] }],
    });
    const { location } = enforce(
      { workspace, policy },
      { operation: 'write', path: 'vault/k' },
      workspace.locate('vault/k'),
      yes,
    );
    await expect(location.boundary.rename('vault/k', 'k')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(location.boundary.rename('vault', 'open/vault')).rejects.toMatchObject({ code: 'DENIED' });
    expect(readFileSync(tree.at('app/vault/k'), 'utf8')).toBe('app/vault/k');
  });

  test('a refused call creates no directories', async () => {
    using tree = tempTree(['app/']);
    await using workspace = await open(tree, 'app');
    const request: AccessRequest = { operation: 'write', path: 'n1/n2/f' };
    const { location } = enforce(
      { workspace, policy: parsePolicy({}) },
      request,
      workspace.locate('n1/n2/f'),
      yes,
    );
    await expect(location.boundary.write('n1/n2/f', 'x', { parents: true })).rejects.toMatchObject({
      code: 'DENIED',
    });
    expect(readdirSync(tree.at('app'))).toEqual([]);
  });

  test('the permit ends with the act', async () => {
    using tree = tempTree(['app/a']);
    await using workspace = await open(tree, 'app');
    const permit = enforce(
      { workspace, policy: parsePolicy({}) },
      { operation: 'read', path: 'a' },
      workspace.locate('a'),
      yes,
    );
    const { boundary } = await actWithin(permit, async ({ boundary: inner }) => {
      expect(await inner.readText('a')).toBe('app/a');
      return { boundary: inner };
    });
    await expect(boundary.readText('a')).rejects.toMatchObject({
      code: 'DENIED',
      data: { rule: 'call-ended' },
    });
  });

  test('a client cannot bypass a rule of the operator by naming a path beneath it', async () => {
    using tree = tempTree([
      'srv/app/.git/hooks/pre-commit',
      'srv/prod/f',
      'srv/link => prod',
      'away => srv/prod',
    ]);
    const rootsOf = (...names: readonly string[]) =>
      parseRoots(names.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
    const listed = rootsOf('srv/app/.git', 'srv/prod', 'srv/link', 'away');
    await using workspace = await openWorkspace(listed, { ceiling: rootsOf('srv') });
    const scope = { workspace, policy: parsePolicy({ preset: 'write-in-project', deny: ['/prod'] }) };
    const hook = tree.at('srv/app/.git/hooks/pre-commit');
    for (const [operation, path] of [
      ['write', hook],
      ['read', tree.at('srv/prod/f')],
      ['read', tree.at('srv/link/f')],
      ['read', tree.at('away/f')],
    ] as const) {
      const location = workspace.locate(path);
      expect(location && decide(scope.policy, { operation, path }, toPolicyLocation(location)).verdict).toBe(
        'deny',
      );
      const permit = enforce(scope, { operation, path }, location, yes);
      await expect(permit.location.boundary.probe(operation, permit.location.relative)).rejects.toMatchObject(
        { code: 'DENIED' },
      );
    }
  });
});

describe('consent for one place', () => {
  const scopeIn = (workspace: Workspace) => ({
    workspace,
    policy: parsePolicy({ allow: ['read', 'list'], ask: ['write', 'remove'] }),
  });

  test.each([
    ['another file', { relative: 'a', links: [], whole: false }, 'b'],
    [
      'a link that it leads through, which is a file by now',
      { relative: 'x', links: ['a'], whole: false },
      'a',
    ],
    ['what is in it, where it was no directory', { relative: 'd', links: [], whole: false }, 'd/c'],
    ['what is beside it', { relative: 'd', links: [], whole: true }, 'b'],
  ])('does not cover %s', async (_what, agreed, path) => {
    using tree = tempTree(['app/a', 'app/b', 'app/d/c']);
    await using workspace = await open(tree, 'app');
    const decision = { ...yes, agreed };
    const request: AccessRequest = { operation: 'write', path: agreed.relative };
    const { location } = enforce(scopeIn(workspace), request, workspace.locate(agreed.relative), decision);
    await expect(location.boundary.write(path, 'x')).rejects.toMatchObject({
      code: 'DENIED',
      data: { reason: 'it leads to a different place from the one that a person agreed to' },
    });
    expect(readFileSync(tree.at('app', path), 'utf8')).toBe(`app/${path}`);
  });

  test('covers its content, and missing directories above it', async () => {
    using tree = tempTree(['app/d/c']);
    await using workspace = await open(tree, 'app');
    const permitFor = (relative: string, whole: boolean) =>
      enforce(scopeIn(workspace), { operation: 'write', path: relative }, workspace.locate(relative), {
        ...yes,
        agreed: { relative, links: [], whole },
      }).location.boundary;
    await permitFor('n1/n2/n3', false).makeDirectory('n1/n2/n3', { parents: true });
    await permitFor('d', true).write('d/c', 'x');
    await expect(permitFor('m1/m2', false).makeDirectory('m1')).rejects.toMatchObject({ code: 'DENIED' });
    expect(readdirSync(tree.at('app')).toSorted()).toEqual(['d', 'n1']);
  });
});
