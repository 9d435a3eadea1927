import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../../scripts/reference-pages.ts';
import { cursorLink, sections, vsCodeLink } from '../../scripts/readme-sections.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('the README has exactly two set-up commands: one for the main job, one for the tests', () => {
  const commands = [...read('README.md').matchAll(/^```sh\n([^`]*?)\n```$/gm)].map(([, command]) => command);
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});

test('CI runs the test command of the README, and the rest of the gate', () => {
  const script = read('.ci/run');
  expect(script).toContain('npm ci && npm test');
  expect(script).toContain('npm run check');
});

test('every script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const documents = ['README.md', 'CONTRIBUTING.md', '.github/workflows/ci.yml'].map(read).join('\n');
  const named = [...documents.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('every version of a dependency is exact', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^(?:npm:.+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

/** A formatter pads tables and breaks lists; what is said stays the same. */
const bare = (text: string): string => text.replaceAll(/[\s\\]+|-{3,}/g, '');

test.each(Object.entries(sections))('the section "%s" is that of the code', (_name, write) => {
  expect(bare(read('README.md')).includes(bare(write())), 'run: npm run readme').toBe(true);
});

test('the reference is that of the code', () => {
  const pages = referencePages((file) => read(file));
  expect(pages.size).toBe(8);
  for (const [file, text] of pages)
    expect(read(`docs/reference/${file}`) === text, `${file}: run: npm run reference`).toBe(true);
  // A function, a class, a type and a constant, each with its words.
  expect(pages.get('rootward.md')).toMatch(/## locate\n\n[A-Z][^]*?```ts\nfunction locate/);
  expect(pages.get('rootward.md')).toMatch(/```ts\nclass RootwardError/);
  expect(pages.get('client.md')).toMatch(/```ts\ntype AskExposure =/);
  expect(pages.get('tools.md')).toMatch(/```ts\nconst allTools: readonly Tool\[\];/);
});

test('the install links carry the entry that every client understands', () => {
  const entry = { command: 'npx', args: ['-y', 'rootward'] };
  const configOf = (link: string): string => new URL(link).searchParams.get('config') ?? '';
  expect(JSON.parse(configOf(vsCodeLink()))).toEqual(entry);
  expect(JSON.parse(Buffer.from(configOf(cursorLink()), 'base64').toString())).toEqual(entry);
});
