import { describe, expect, test } from 'vitest';
import { markers, matchMarker } from './markers.ts';

describe('matchMarker', () => {
  test.each([
    ['.git', 'git'],
    ['package.json', 'node'],
    ['Cargo.toml', 'rust'],
    ['pyproject.toml', 'python'],
    ['pom.xml', 'maven'],
    ['build.gradle', 'gradle'],
    ['build.gradle.kts', 'gradle'],
    ['go.mod', 'go'],
    ['App.sln', 'dotnet'],
    ['Some.Long.Name.csproj', 'dotnet'],
    ['composer.json', 'php'],
    ['Gemfile', 'ruby'],
    ['mix.exs', 'elixir'],
    ['deno.jsonc', 'deno'],
    ['CMakeLists.txt', 'cpp'],
    ['Makefile', 'make'],
    ['my app.code-workspace', 'vscode'],
    ['App.xcodeproj', 'swift'],
  ])('knows %s', (name, ecosystem) => {
    expect(matchMarker(name)?.ecosystem).toBe(ecosystem);
  });

  test.each([
    '',
    '.',
    '..',
    '.sln',
    '.csproj',
    'package.json.bak',
    'Package.json',
    'xpackage.json',
    'a.sln ',
    '__proto__',
    'constructor',
    'a.__proto__',
    'a.constructor',
  ])('does not take %j for a marker', (name) => {
    expect(matchMarker(name)).toBeUndefined();
  });

  test('answers for 200,000 names in a moment', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `some-module-${index}.test.ts`);
    const start = performance.now();
    expect(names.filter((name) => matchMarker(name) !== undefined)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('the table', () => {
  test('names every marker once, as a name or as an extension', () => {
    const files = markers.map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
    expect(files.filter((file) => !/^(?:\*\.[\w-]+|[^*/\\]+)$/.test(file))).toEqual([]);
  });

  test('finds each of its entries by its name', () => {
    for (const marker of markers) expect(matchMarker(marker.file.replace('*', 'x'))).toBe(marker);
  });

  test('ranks repositories before manifests, and what says little last', () => {
    const sorts = markers.map(({ kind, weak }) => (weak ? 'weak' : kind));
    expect([...new Set(sorts)]).toEqual(['repository', 'manifest', 'weak']);
    expect(sorts).toEqual(sorts.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
    expect(markers.map(({ rank }) => rank)).toEqual(markers.map((_, index) => index));
    expect(markers.filter(({ kind, weak }) => kind === 'editor' && !weak)).toEqual([]);
  });

  test('ranks manifests in the order of their ecosystems, and those that repeat after the others', () => {
    const wanted = ['package.json', 'pyproject.toml', 'go.mod', '*.vcxproj', 'flake.nix', 'CMakeLists.txt'];
    expect(markers.map(({ file }) => file).filter((file) => wanted.includes(file))).toEqual(wanted);
  });

  test.each(
    markers.flatMap(({ file, name }) => (name?.format === 'text' ? [[file, name.pattern] as const] : [])),
  )('has a pattern for %s that takes no time on a text made against it', (_file, pattern) => {
    const bait = pattern.source.includes('module') ? 'module ' : 'name = "';
    const texts = [
      ' ',
      '\n',
      'a/',
      '(',
      '"',
      bait,
      `${bait}\n`,
      'project(',
      'module(\n',
      '.v1',
      'name',
      'app:',
    ];
    const start = performance.now();
    for (const text of texts) pattern.exec(text.repeat(1_000_000 / text.length));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

const order: readonly string[] = ['repository', 'manifest', 'weak'];
