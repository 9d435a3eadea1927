import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { projectInfo } from './project-info.ts';

const entries = [
  'app/.git/HEAD = ref: refs/heads/main\n',
  'app/.git/config = [remote "origin"]\nurl = https://me:token@example.com/app.git\n',
  'app/package.json = {"name":"top","version":"1.0.0","workspaces":["packages/*"],"scripts":{"test":"vitest"}}',
  'app/packages/one/package.json = {"name":"one","main":"./a.js"}',
  'app/packages/one/a.js',
  'app/tools/Cargo.toml = [package]\nname = "crate"\nversion = "0.1.0"\n',
  'docs/index.md',
];

test('describes every root, its projects and how they relate', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  const { structuredContent, content } = await call.run(projectInfo);
  expect(structuredContent).toMatchObject({
    project: { name: 'app', path: tree.at('app'), source: 'operator' },
    roots: [
      {
        root: 'app',
        path: tree.at('app'),
        complete: true,
        issues: [],
        projects: [
          {
            name: 'top',
            path: '.',
            version: '1.0.0',
            ecosystems: ['node'],
            scripts: { test: 'vitest' },
            packages: 1,
            repository: { kind: 'git', branch: 'main', remote: 'https://example.com/app.git' },
          },
          { name: 'crate', path: 'tools', ecosystems: ['rust'], within: '.' },
          { name: 'one', path: 'packages/one', packageOf: '.', entryPoints: ['./a.js'] },
        ],
      },
      { root: 'docs', files: 1, languages: [{ language: 'Markdown', files: 1 }], projects: [] },
    ],
  });
  expect(JSON.stringify(content)).toContain('- one at packages/one (node; package of .)');
  expect(JSON.stringify([content, structuredContent])).not.toContain('token');
});

test('respects the rules', async () => {
  using tree = tempTree(entries);
  const policy = { preset: 'read-only', deny: ['/packages'] } as const;
  await using call = await openToolCall([tree.at('app')], { policy });
  const text = JSON.stringify((await call.run(projectInfo)).structuredContent);
  expect(text).toContain('"top"');
  expect(text).not.toContain('"one"');
  // The file with the remote is denied by default.
  expect(text).not.toContain('remote"');
});

test('describes one directory, refuses one outside, and stops when cancelled', async () => {
  using tree = tempTree([...entries, 'app/leaving => ../docs']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(projectInfo, { path: 'tools' });
  expect(structuredContent).toMatchObject({
    roots: [{ path: tree.at('app/tools'), projects: [{ name: 'crate' }] }],
  });
  await expect(call.run(projectInfo, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await using cancelled = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(cancelled.run(projectInfo)).rejects.toThrow('aborted');
});
