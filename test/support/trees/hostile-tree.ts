import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';

const mebibyte = 1_048_576;

/** A repository in which everything is as bad as a file can be. The scale says how much of it there is. */
export function hostileTree(scale: number): TempTree {
  const tree = tempTree(['app/many/', 'app/docs/', 'app/projects/', 'app/maze/', 'app/deep/']);
  const app = (path: string): string => tree.at(`app/${path}`);
  for (const [path, text] of Object.entries(files())) writeFileSync(app(path), text);
  truncateSync(app('sparse.bin'), 5 * 1024 * mebibyte);
  fillDirectory(app('many'), 500 * scale);
  fillDocs(app('docs'), 5 * scale);
  fillProjects(app('projects'), scale);
  fillMaze(app('maze'));
  mkdirSync(app(`deep/${'d/'.repeat(120)}`), { recursive: true });
  execFileSync('mkfifo', [app('pipe')]);
  return tree;
}

/** A deep directory with very many documents, which are names of a few files. */
export function crowdedTree(count: number): TempTree {
  const tree = tempTree([`app/${'d/'.repeat(20)}`]);
  const directory = tree.at(`app/${'d/'.repeat(20)}`);
  for (let index = 0; index < count; index += 1) {
    const first = index - (index % 30_000);
    if (index === first) writeFileSync(`${directory}/${index}.md`, 'x');
    else linkSync(`${directory}/${first}.md`, `${directory}/${index}.md`);
  }
  return tree;
}

/** Text files at the top, by path. */
function files(): Readonly<Record<string, string>> {
  return {
    'line.txt': 'a'.repeat(8 * mebibyte - 1),
    'lines.txt': 'a\n'.repeat(4 * mebibyte - 1),
    'ends.txt': 'a\r\na\n'.repeat(1.6 * mebibyte),
    'blank.txt': '\n'.repeat(8 * mebibyte - 1),
    'fences.md': '`a\n'.repeat(80_000),
    'sparse.bin': '',
    'small.txt': 'one\ntwo\nthree\n',
    '.gitignore': Array.from({ length: 500 }, (_, index) => `*a*a*a*a*a*${index}`).join('\n'),
    ['a'.repeat(250)]: '',
    'odd \u202E\n name.txt': 'odd\n',
    ...manifests(),
  };
}

/** Every kind of manifest, each of the largest size that is read and made to hold its parser. */
function manifests(): Readonly<Record<string, string>> {
  const numbered = (count: number, each: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => each(index)).join('');
  const braces = `{${numbered(250, (index) => `a${index},`)}b}`;
  /** As much of something as a format takes. */
  const fill = (text: string, bytes: number): string => text.repeat(Math.floor((bytes - 100) / text.length));
  const [most, quarter, eighth] = [mebibyte, mebibyte / 4, mebibyte / 8];
  return {
    'pom.xml': `<project>${numbered(30_000, (index) => `<a xmlns:n${index}="x">`)}`,
    'package.json': JSON.stringify({
      name: 'a',
      workspaces: numbers(900, (index) => `p${index}/*/${braces}`),
    }),
    'composer.json': fill('[],', most),
    'elm.json': `[${fill('{"a":1},', most)}1]`,
    'deno.json': `${fill('[', most / 2)}${fill(']', most / 2)}`,
    'deno.jsonc': `[${fill(',', quarter)}`,
    'hostile.code-workspace': `//\n{"folders":[${fill('{"path":"a"},', quarter)}]}`,
    'pnpm-workspace.yaml': fill('[', 65_536),
    'pubspec.yaml': `a: &a [x,x,x,x]\n${numbered(2_500, (index) => `k${index}: [*a, *a, *a]\n`)}`,
    'shard.yml': fill('- ', 65_536),
    'Cargo.toml': `${fill('a.', eighth)}b = 1`,
    'pyproject.toml': numbered(11_000, (index) => `[a.b${index}]\n`),
    'settings.gradle': fill('include ":a", ', quarter),
    'build.gradle': fill('/*', quarter),
    'go.work': `use (${fill('"a', quarter)}`,
    'go.mod': `module ${fill('a/', quarter)}`,
    'setup.py': fill('name="', quarter),
    'CMakeLists.txt': fill(' ', quarter),
    'MODULE.bazel': fill('module(\n', quarter),
    Makefile: fill('a ', quarter),
    'meson.build': fill("project( '", quarter),
    'README.md': fill('![[<', quarter),
  };
}

function numbers<Item>(count: number, each: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => each(index));
}

/** Names of one file: cheaper than as many files. */
function fillDirectory(directory: string, count: number): void {
  writeFileSync(`${directory}/0`, 'x');
  for (let index = 1; index < count; index += 1)
    linkSync(
      index % 30_000 === 0 ? fresh(`${directory}/file-${index}`) : nameOf(directory, index),
      `${directory}/${'a'.repeat(100)}${index}`,
    );
}

/** ext4 counts no more than 65,000 names of one file. */
function nameOf(directory: string, index: number): string {
  const block = Math.floor(index / 30_000) * 30_000;
  return block === 0 ? `${directory}/0` : `${directory}/file-${block}`;
}

function fresh(path: string): string {
  writeFileSync(path, 'x');
  return path;
}

/** Documents of nothing but headings, one file by many names. */
function fillDocs(directory: string, count: number): void {
  writeFileSync(`${directory}/0.md`, '# a b c d e f g h\n'.repeat(14_000));
  writeFileSync(`${directory}/one.rst`, 'a\n===\n'.repeat(40_000));
  for (let index = 1; index < count; index += 1) linkSync(`${directory}/0.md`, `${directory}/${index}.md`);
}

/** Many projects, each with manifests that take long. */
function fillProjects(directory: string, count: number): void {
  const toml = `${'a.'.repeat(65_000)}b = 1`;
  const yaml = '[a,'.repeat(21_000);
  writeFileSync(`${directory}/toml`, toml);
  writeFileSync(`${directory}/yaml`, yaml);
  for (let index = 0; index < count; index += 1) {
    mkdirSync(`${directory}/p${index}`);
    linkSync(`${directory}/toml`, `${directory}/p${index}/Cargo.toml`);
    linkSync(`${directory}/toml`, `${directory}/p${index}/pyproject.toml`);
    linkSync(`${directory}/yaml`, `${directory}/p${index}/pubspec.yaml`);
  }
}

/** Links to links, and links that lead in a circle. */
function fillMaze(directory: string): void {
  for (let index = 0; index < 200; index += 1) symlinkSync(`l${index + 1}`, `${directory}/l${index}`);
  symlinkSync('.', `${directory}/here`);
  symlinkSync('../..', `${directory}/up`);
}
