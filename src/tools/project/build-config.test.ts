import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { buildConfig } from './build-config.ts';

const entries = [
  'web/package.json = {"name":"web","workspaces":["packages/*"],"scripts":{"test":"vitest"}}',
  'web/pnpm-lock.yaml = ',
  'web/packages/ui/package.json = {"name":"ui","scripts":{"build":"tsc\u202E"}}',
  'web/Makefile = deploy:\n',
  'api/Cargo.toml = [package]\nname = "api"\n',
];

test('lists commands of every project in every root, by task', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('web'), tree.at('api')]);
  const { structuredContent, content } = await call.run(buildConfig);
  expect(structuredContent).toMatchObject({ systems: ['node', 'make', 'cargo'], complete: true });
  expect(structuredContent['commands']).toEqual(
    expect.arrayContaining([
      {
        task: 'test',
        command: 'pnpm test',
        directory: '.',
        system: 'node',
        file: 'package.json',
        why: 'script test: vitest',
        bestEffort: false,
      },
      {
        task: 'install',
        command: 'pnpm install',
        directory: 'packages/ui',
        system: 'node',
        file: '../../pnpm-lock.yaml',
        why: 'pnpm-lock.yaml is of pnpm',
        bestEffort: false,
      },
      {
        task: 'build',
        command: 'pnpm run build',
        directory: 'packages/ui',
        system: 'node',
        file: 'package.json',
        why: 'script build: tsc\\u{202e}',
        bestEffort: false,
      },
      {
        task: 'other',
        command: 'make deploy',
        directory: '.',
        system: 'make',
        file: 'Makefile',
        why: 'target deploy',
        bestEffort: true,
      },
      {
        task: 'test',
        command: 'cargo test',
        directory: tree.at('api'),
        system: 'cargo',
        file: 'Cargo.toml',
        why: 'it is a crate',
        bestEffort: false,
      },
    ]),
  );
  expect(content).toMatchObject([
    {
      text: expect.stringContaining(
        'test:\n  pnpm test  [in .; package.json: script test: vitest]\n  cargo test',
      ),
    },
  ]);
  expect(JSON.stringify(content)).toContain('target deploy; best effort]');
});

test('can be limited to one task or directory', async () => {
  using tree = tempTree([...entries, 'web/src/']);
  await using call = await openToolCall([tree.at('web')]);
  const { structuredContent } = await call.run(buildConfig, { task: 'build' });
  expect(structuredContent['commands']).toMatchObject([{ command: 'pnpm run build' }]);
  const part = await call.run(buildConfig, { path: 'packages/ui', task: 'install' });
  expect(part.structuredContent['commands']).toMatchObject([
    { command: 'pnpm install', directory: 'packages/ui' },
  ]);
  expect((await call.run(buildConfig, { path: 'src' })).content).toMatchObject([
    { text: 'No build system was found' },
  ]);
});

test('respects roots and rules', async () => {
  using tree = tempTree([...entries, 'web/leaving => ../api']);
  const policy = { preset: 'read-only', deny: ['/packages'] } as const;
  await using call = await openToolCall([tree.at('web')], { policy });
  expect(JSON.stringify((await call.run(buildConfig)).structuredContent)).not.toContain('packages');
  await expect(call.run(buildConfig, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await using cancelled = await openToolCall([tree.at('web')], { signal: AbortSignal.abort() });
  await expect(cancelled.run(buildConfig)).rejects.toThrow('aborted');
});
