import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { createTryScene } from './try-scene.ts';

function root(path: string) {
  const name = path.slice(1);
  const kind = 'directory' as const;
  return {
    name,
    path,
    uri: toFileUri(path, { platform: 'posix' }),
    kind,
    permissions: {},
    servers: {},
    grants: [],
  };
}

const snapshot = {
  revision: 1,
  roots: [root('/app'), root('/docs')],
  servers: { search: { roots: ['/docs'] } },
};

test('a server with a list has only those roots, and a single one is its project', () => {
  const scene = createTryScene(snapshot, { server: 'search' });
  expect(scene).toMatchObject({ from: '/docs', limitedTo: 'search' });
  expect(scene.roots.map(({ name }) => name)).toEqual(['docs']);
  expect(createTryScene(snapshot, {}).from).toBeUndefined();
});

test('finds a root by path before name', () => {
  const odd = { ...snapshot, roots: [{ ...root('/app'), name: '/docs' }, root('/docs')] };
  expect(createTryScene(odd, { root: '/docs' }).from).toBe('/docs');
  expect(createTryScene(snapshot, { root: 'app' }).from).toBe('/app');
  expect(createTryScene(snapshot, { root: 'other' }).from).toBeUndefined();
});
