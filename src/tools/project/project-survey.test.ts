import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { startAt } from '../tool/search-start.ts';
import { eachPlace, type ProjectSurvey, surveyProjects } from './project-survey.ts';

async function survey(entries: readonly string[], path = '.', projects = 10): Promise<ProjectSurvey> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.path], { policy: { preset: 'read-only', deny: ['secret'] } });
  const options = { projects, deadline: Infinity, signal: call.signal, tick: () => undefined };
  return await call.access({ operation: 'read', path }, async (location) =>
    surveyProjects(await startAt(location), options),
  );
}

const monorepo = [
  'package.json = {"name":"top","workspaces":["packages/*"]}',
  '.gitignore = out\n',
  'a.ts',
  'b.md',
  'out/c.ts',
  'packages/one/package.json = {"name":"one"}',
  'packages/one/src/d.ts',
  'node_modules/x/e.ts',
  'secret/f.ts',
];

test('finds projects and counts files for the nearest of them', async () => {
  const { projects, files, languages, complete } = await survey(monorepo);
  expect(projects.map(({ name, prefix, member }) => [name, prefix, member])).toEqual([
    ['top', '', false],
    ['one', 'packages/one/', true],
  ]);
  expect(projects.map((project) => [...project.languages])).toEqual([
    [
      ['TypeScript', 1],
      ['Markdown', 1],
    ],
    [['TypeScript', 1]],
  ]);
  expect([...languages]).toContainEqual(['TypeScript', 2]);
  expect(files).toBe(6);
  expect(complete).toBe(true);
  expect(projects[0]?.names).toContain('package.json');
});

test('starts in a subdirectory', async () => {
  const { projects, files } = await survey(monorepo, 'packages/one');
  expect(projects.map(({ name }) => name)).toEqual(['one']);
  expect(files).toBe(2);
});

test('reports omitted and unreadable directories', async () => {
  expect(await survey(monorepo, '.', 1)).toMatchObject({ projects: [{ name: 'top' }], complete: false });
  const { issues } = await survey(['package.json = {']);
  expect(issues).toEqual([expect.stringContaining('Cannot read "package.json"')]);
});

test('surveys every readable root, or the given directory', async () => {
  using tree = tempTree(['app/src/', 'docs/', 'closed/']);
  const policy = { preset: 'read-only', roots: { closed: { allow: ['list'] } } } as const;
  await using call = await openToolCall(
    ['app', 'docs', 'closed'].map((name) => tree.at(name)),
    { policy },
  );
  const names = (path?: string): Promise<readonly string[]> =>
    eachPlace(call, path, async ({ root, relative }) => basename(`${root.name}/${relative}`));
  expect(await names()).toEqual(['.', '.']);
  expect(await names('src')).toEqual(['src']);
  await expect(names(tree.at('closed'))).rejects.toMatchObject({ code: 'DENIED' });
  await using only = await openToolCall([tree.at('closed')], { policy });
  await expect(eachPlace(only, undefined, async () => 1)).rejects.toMatchObject({ code: 'DENIED' });
});
