import { describe, expect, test } from 'vitest';
import { openRootStore } from '../store/open-root-store.ts';
import type { RootStore } from '../store/root-store.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { viewForServer } from './view-for-server.ts';

const date = '2026-01-01T00:00:00.000Z';

async function viewsAfter(change: (store: RootStore) => Promise<unknown>): Promise<readonly string[]> {
  using tree = tempTree(['app/', 'docs/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  await store.add({ path: tree.at('app'), preset: 'write-in-project' });
  await store.add(tree.at('docs'));
  await change(store);
  return viewForServer(store.snapshot(), 'search', new Date(date)).map(
    ({ root, shown, why, permissions }) => `${root.name} ${shown} ${permissions.allow.join()} ${why}`,
  );
}

const usual = 'shown by default; a remote server needs consent';

describe('the view of a server', () => {
  test('by name is that of a server its host starts', async () => {
    expect(await viewsAfter(async () => undefined)).toEqual([
      `app true read,list,write ${usual}`,
      `docs true read,list ${usual}`,
    ]);
  });

  test('is limited by its list', async () => {
    expect(await viewsAfter((store) => store.limit('search', ['docs']))).toEqual([
      'app false  it is not in the list of this server',
      'docs true read,list it is in the list of this server',
    ]);
  });

  test('is empty after a refusal, even one to a certain program of that name', async () => {
    const never = { server: 'search', fingerprint: 'x', answer: 'never', date } as const;
    expect(await viewsAfter((store) => store.remember('app', never))).toEqual([
      'app false  a person said never',
      `docs true read,list ${usual}`,
    ]);
  });

  test('is limited to what was granted', async () => {
    const grant = { server: 'search', answer: 'always', date, operations: ['read'] } as const;
    const [app] = await viewsAfter((store) => store.remember('app', grant));
    expect(app).toBe('app true read a person said always');
  });

  test('does not depend on other servers', async () => {
    expect(await viewsAfter((store) => store.deny('app', { server: 'other' }))).toEqual([
      `app true read,list,write ${usual}`,
      `docs true read,list ${usual}`,
    ]);
  });
});
