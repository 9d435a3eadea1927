import { describe, expect, test } from 'vitest';
import { Descent } from './descent.ts';
import type { FoundMarkers } from './find-markers.ts';
import { matchMarker } from './markers.ts';

function found(name: string): FoundMarkers {
  const marker = matchMarker(name);
  return { product: [], known: marker === undefined ? [] : [{ name, marker }] };
}

const repository = { top: '/r', identity: '/r/.git' };

describe('a descent', () => {
  test('knows the innermost repository, and forgets it when it is left', () => {
    const descent = new Descent(undefined);
    expect(descent.repository).toBeUndefined();
    descent.push({ prefix: 'a/', found: found('.git'), repository });
    descent.moveTo('a/b/');
    expect(descent.repository).toBe(repository);
    descent.moveTo('c/');
    expect(descent.repository).toBeUndefined();
    expect(new Descent(repository).repository).toBe(repository);
  });

  test('relates a project to the nearest one around it', () => {
    const descent = new Descent(undefined);
    descent.push({ prefix: '', found: found('.git'), project: { location: '/top', declared: [] } });
    descent.push({
      prefix: 'a/',
      found: found('package.json'),
      project: { location: '/top/a', declared: [] },
    });
    expect(descent.relate('a/b/', found('package.json'))).toEqual({ parent: '/top/a', member: false });
    descent.moveTo('ab/');
    expect(descent.relate('ab/', found('package.json'))).toEqual({ parent: '/top', member: false });
  });

  test('relates a package to the one that declares it, if it is of that kind', () => {
    const descent = new Descent(undefined);
    const [own] = found('package.json').known;
    const declared =
      own === undefined ? [] : [{ marker: own.marker, has: (path: string) => path === 'packages/x' }];
    descent.push({ prefix: '', found: found('package.json'), project: { location: '/top', declared } });
    expect(descent.relate('packages/x/', found('package.json'))).toEqual({ parent: '/top', member: true });
    expect(descent.relate('packages/x/', found('Cargo.toml'))).toEqual({ parent: '/top', member: false });
    expect(descent.relate('other/', found('package.json'))).toEqual({ parent: '/top', member: false });
  });

  test('tells what is right above a directory', () => {
    const descent = new Descent(undefined);
    const top = found('CMakeLists.txt');
    descent.push({ prefix: '', found: top, project: { location: '/top', declared: [] } });
    expect(descent.around('a/')).toEqual({ above: top, isWithin: true });
    expect(descent.around('')).toMatchObject({ above: undefined });
  });
});
