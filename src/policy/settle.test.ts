import { describe, expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { type Location, openWorkspace } from '../workspace/workspace.ts';
import type { PlaceScope } from './asked-place.ts';
import type { AccessRequest } from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';
import { parsePolicy } from './rules/policy.ts';
import { AnswerPending, type ConsentQuestion, describeQuestion, mostShown, settle } from './settle.ts';

const policy = parsePolicy({ allow: ['read', 'list'], ask: ['write'] });

const request = { operation: 'write', path: 'a' } as const;
const wish: Decision = { verdict: 'ask', rule: 'ask:write', reason: '"write" needs a yes' };

type Run = (location: Location | undefined, scope: PlaceScope) => Promise<void>;

async function withLocation(run: Run, layout: readonly string[] = ['app/'], path = 'a'): Promise<void> {
  using tree = tempTree(layout);
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
  await run(workspace.locate(path), { workspace, policy });
}

describe('settle', () => {
  test('leaves allow and deny as they are, and asks no question', async () => {
    const ask = (): never => {
      throw new Error('asked');
    };
    for (const verdict of ['allow', 'deny'] as const) {
      await withLocation(async (location, scope) => {
        expect(await settle({ ...wish, verdict }, request, location, { ask, ...scope })).toEqual({
          ...wish,
          verdict,
        });
      });
    }
  });

  test('asks with the request, the root and the reason', async () => {
    await withLocation(async (location, scope) => {
      const questions: ConsentQuestion[] = [];
      const ask = (question: ConsentQuestion): boolean => questions.push(question) > 0;
      expect(await settle(wish, request, location, { ask, ...scope })).toMatchObject({
        verdict: 'allow',
        rule: 'ask:write:yes',
      });
      expect(questions).toEqual([expect.objectContaining({ request, root: 'app', reason: wish.reason })]);
      expect(questions[0]?.signal.aborted).toBe(true);
    });
  });

  test.each([
    ['a no', () => false],
    ['something else than yes', () => 'yes'],
    ['a failed question', () => Promise.reject(new Error('the window was closed'))],
    ['no answer in time', () => new Promise<boolean>(() => {})],
  ])('treats %s as a no', async (_what, ask) => {
    await withLocation(async (location, scope) => {
      const decision = await settle(wish, request, location, { ask, patience: 20, ...scope });
      expect(decision).toMatchObject({ verdict: 'deny', rule: 'ask:write:no' });
    });
  });

  test('stays open if the request is taken back before the answer, and the question ends', async () => {
    await withLocation(async (location, scope) => {
      const taken = new AbortController();
      const asked = new AbortController();
      const ask = ({ signal }: ConsentQuestion): Promise<boolean> => {
        signal.addEventListener('abort', () => asked.abort());
        taken.abort();
        return new Promise(() => {});
      };
      const decision = await settle(wish, request, location, { ask, signal: taken.signal, ...scope });
      expect(decision).toMatchObject({ verdict: 'ask', rule: 'ask:write' });
      expect(asked.signal.aborted).toBe(true);
    });
  });

  test('throws while the answer comes with another call', async () => {
    await withLocation(async (location, scope) => {
      const ask = (): never => {
        throw new AnswerPending('later');
      };
      await expect(settle(wish, request, location, { ask, ...scope })).rejects.toThrow('later');
    });
  });

  test('denies if there is no way to ask', async () => {
    await withLocation(async (location, scope) => {
      const decision = await settle(wish, request, location, scope);
      expect(decision).toMatchObject({
        verdict: 'deny',
        rule: 'ask:write',
        reason: expect.stringContaining('no person'),
      });
    });
  });
});

describe('a question', () => {
  test('names the place behind a link, and consent covers it', async () => {
    const layout = ['app/real', 'app/l => real'];
    await withLocation(
      async (location, scope) => {
        const questions: ConsentQuestion[] = [];
        const ask = (question: ConsentQuestion): boolean => questions.push(question) > 0;
        const at = { relative: 'real', links: ['l'], whole: false };
        expect(await settle(wish, { ...request, path: 'l' }, location, { ask, ...scope })).toMatchObject({
          verdict: 'allow',
          agreed: at,
        });
        expect(questions).toEqual([expect.objectContaining({ at })]);
      },
      layout,
      'l',
    );
  });

  test.each([
    ['a rule', ['app/.env', 'app/l => .env'], 'deny:.env'],
    ['a link that leads out', ['app/l => ../x', 'x'], 'outside-roots'],
  ])('is not asked where %s refuses anyway', async (_what, layout, rule) => {
    await withLocation(
      async (location, scope) => {
        const ask = (): never => {
          throw new Error('asked');
        };
        expect(await settle(wish, { ...request, path: 'l' }, location, { ask, ...scope })).toMatchObject({
          verdict: 'deny',
          rule,
        });
      },
      layout,
      'l',
    );
  });

  test('is not asked if a person could not read all of it', async () => {
    await withLocation(async (location, scope) => {
      const shown: (string | undefined)[] = [];
      const ask = ({ request: { detail } }: ConsentQuestion): boolean => shown.push(detail) > 0;
      const settled = (length: number) =>
        settle(wish, { ...request, detail: 'x'.repeat(length) }, location, { ask, ...scope });
      expect(await settled(mostShown)).toMatchObject({ verdict: 'allow' });
      const refused = await settled(mostShown + 1);
      expect(refused).toMatchObject({ verdict: 'deny' });
      expect(refused.reason).toContain('approve 4001 characters, and is shown 4000 at most');
      expect(shown).toEqual(['x'.repeat(mostShown)]);
    });
  });
});

function words(request: AccessRequest, at: Partial<AskedPlace> = {}): string {
  const place = { relative: request.path, links: [], whole: false, ...at };
  return describeQuestion({ request, root: 'app', at: place, reason: 'it needs a yes' });
}

test('names the tool, the operation, the place and the root', () => {
  expect(words({ operation: 'write', path: 'a', tool: 'write_file', detail: '3 bytes' })).toBe(
    'Allow "write_file" to write "a" in "app": "3 bytes"? (it needs a yes)',
  );
  expect(words({ operation: 'read', path: 'a' })).toBe('Allow to read "a" in "app"? (it needs a yes)');
});

test.each([
  ['a link', 'l', { relative: 'real', links: ['l'] }, '"l", which is "real", in'],
  ['a link on the way', 'd/l', { relative: 'e/l' }, '"d/l", which is "e/l", in'],
  ['a link to the root', 'l', { relative: '', links: ['l'] }, '"l", which is ".", in'],
  ['an absolute path', '/work/app/src/a', { relative: 'src/a' }, '"/work/app/src/a" in'],
  ['the end of a name', 'xsrc/a', { relative: 'src/a' }, '"xsrc/a", which is "src/a", in'],
  ['a directory', 'src/', { relative: 'src', whole: true }, '"src/" and everything in it in'],
])('says where %s leads', (_what, path, at, expected) => {
  expect(words({ operation: 'remove', path }, at)).toContain(expected);
});

test('a command line is shown bounded and escaped', () => {
  const text = words(
    { operation: 'execute', path: '.', detail: `a\u202E\n${'x'.repeat(10_000)}` },
    { relative: '' },
  );
  expect(text).toContain('run a command line in "." in "app": "a\\u{202e}\\u{a}xxx');
  expect(text).toContain('(10003 characters, not all shown)? It can reach everything in "app".');
  expect(text.length).toBeLessThan(4_500);
});
