import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { access, type AccessScope } from './access.ts';
import { type AuditSink, createMemorySink } from './audit/sink.ts';
import { RootwardError } from './errors.ts';
import { toFileUri } from './path/file-uri.ts';
import { parseRoots } from './path/root.ts';
import { parsePolicy } from './policy/rules/policy.ts';
import { type TempTree, tempTree } from './testing/temp-tree.ts';
import { type Location, openWorkspace } from './workspace/workspace.ts';

async function scopeOf(tree: TempTree, config: unknown = { preset: 'write-in-project' }) {
  const { roots } = parseRoots([{ uri: toFileUri(tree.at('app')) }]);
  return { workspace: await openWorkspace(roots), policy: parsePolicy(config), audit: createMemorySink() };
}

const read = ({ boundary, relative }: Location): Promise<string> => boundary.readText(relative);

describe('the sentence', () => {
  test('finds the place, decides, does it, and writes it down', async () => {
    using tree = tempTree(['app/a.txt = hello']);
    const scope = await scopeOf(tree);
    expect(await access({ ...scope, caller: 'test' }, { operation: 'read', path: 'a.txt' }, read)).toBe(
      'hello',
    );
    expect(scope.audit.entries()).toEqual([
      expect.objectContaining({
        caller: 'test',
        operation: 'read',
        path: 'a.txt',
        root: 'app',
        verdict: 'allow',
        outcome: 'done',
        revision: 1,
      }),
    ]);
    await scope.workspace.close();
  });

  test('a refusal before a place exists is written down too', async () => {
    using tree = tempTree(['app/', 'secret']);
    const scope = await scopeOf(tree);
    const acts: Location[] = [];
    const asked = access(scope, { operation: 'read', path: tree.at('secret') }, (location) =>
      acts.push(location),
    );
    await expect(asked).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS', data: { roots: ['app'] } });
    expect(acts).toEqual([]);
    const [entry] = scope.audit.entries();
    expect(entry).toMatchObject({
      path: tree.at('secret'),
      verdict: 'deny',
      rule: 'outside-roots',
      outcome: 'refused',
    });
    expect(entry).not.toHaveProperty('root');
    await scope.workspace.close();
  });

  test('a refusal on the way is the decision that is written down', async () => {
    using tree = tempTree(['app/.env', 'app/x => .env', 'app/out => ../secret', 'secret']);
    const scope = await scopeOf(tree);
    await expect(access(scope, { operation: 'read', path: 'x' }, read)).rejects.toMatchObject({
      code: 'DENIED',
    });
    await expect(access(scope, { operation: 'read', path: 'out' }, read)).rejects.toMatchObject({
      code: 'OUTSIDE_ROOTS',
    });
    expect(scope.audit.entries().map(({ verdict, rule, outcome }) => [verdict, rule, outcome])).toEqual([
      ['deny', 'deny:.env', 'refused'],
      ['deny', 'outside-roots', 'refused'],
    ]);
    await scope.workspace.close();
  });

  test('where the policy asks, a person decides', async () => {
    using tree = tempTree(['app/']);
    const scope = await scopeOf(tree, { preset: 'ask-before-write' });
    const write = ({ boundary, relative }: Location): Promise<void> => boundary.write(relative, 'x');
    const request = { operation: 'write', path: 'new' } as const;
    await expect(access({ ...scope, ask: () => false }, request, write)).rejects.toMatchObject({
      code: 'DENIED',
    });
    await expect(access(scope, request, write)).rejects.toMatchObject({ code: 'NOT_ASKED' });
    await access({ ...scope, ask: () => true }, request, write);
    expect(readFileSync(tree.at('app/new'), 'utf8')).toBe('x');
    expect(scope.audit.entries().map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'allow']);
    await scope.workspace.close();
  });

  test('a failure of the act is written down and handed on as it is', async () => {
    using tree = tempTree(['app/']);
    const scope = await scopeOf(tree);
    const mine = new TypeError('mine');
    const failing = access(scope, { operation: 'read', path: 'x' }, () => Promise.reject(mine));
    await expect(failing).rejects.toBe(mine);
    expect(scope.audit.entries()).toEqual([expect.objectContaining({ outcome: 'failed', code: 'INTERNAL' })]);
    await scope.workspace.close();
  });
});

describe('what cannot be written down', () => {
  const failure = new RootwardError('AUDIT_FAILED', { reason: 'the disk is full' });
  const failing = {
    record: () => {
      throw failure;
    },
    close: async () => {},
  } satisfies AuditSink;

  test('is not handed out', async () => {
    using tree = tempTree(['app/a']);
    const scope: AccessScope = { ...(await scopeOf(tree)), audit: failing };
    await expect(access(scope, { operation: 'read', path: 'a' }, read)).rejects.toBe(failure);
    await expect(access(scope, { operation: 'read', path: '/etc/passwd' }, read)).rejects.toBe(failure);
    await scope.workspace.close();
  });

  test('does not happen, once it is known', async () => {
    using tree = tempTree(['app/a']);
    const audit: AuditSink = { ...failing, ready: () => Promise.reject(failure) };
    const scope: AccessScope = { ...(await scopeOf(tree)), audit };
    const acts: Location[] = [];
    const asked = access(scope, { operation: 'write', path: 'a' }, (location) => acts.push(location));
    await expect(asked).rejects.toBe(failure);
    expect(acts).toEqual([]);
    await scope.workspace.close();
  });
});
