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
        why: 'pnpm-lock.yaml belongs to pnpm',
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

test('finds the wrapper of a directory above, within the root', async () => {
  using tree = tempTree(['mvnw', 'app/gradlew', 'app/lib/build.gradle = ', 'app/api/pom.xml = <project/>']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(buildConfig, { task: 'test' });
  expect(structuredContent['commands']).toMatchObject([
    { command: 'mvn test', directory: 'api' },
    { command: '../gradlew test', directory: 'lib' },
  ]);
});

test('says for which manifests it knows no commands', async () => {
  using tree = tempTree(['app/composer.json = {}', 'app/site/Gemfile = ']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent, content } = await call.run(buildConfig);
  const unknown = ['composer.json (php) in .', 'Gemfile (ruby) in site'];
  expect(structuredContent).toMatchObject({ commands: [], unknown });
  expect(content).toMatchObject([
    {
      text: `No build system with known commands was found\n[No commands are known for ${unknown.join(', ')}.]`,
    },
  ]);
});

test('summarizes the commands of a monorepo, and lists each when asked to go on', async () => {
  const scripts = { build: 'tsc', test: 'vitest', lint: 'eslint .', dev: 'vite' };
  const packages = Array.from({ length: 45 }, (_, index) => {
    const own = { ...scripts, [`special-${index}`]: 'x'.repeat(160) };
    return `packages/p${index}/package.json = ${JSON.stringify({ name: `p${index}`, scripts: own })}`;
  });
  using tree = tempTree([
    'package.json = {"workspaces":["packages/*"]}',
    'package-lock.json = {}',
    ...packages,
  ]);
  await using call = await openToolCall([tree.path]);
  const { structuredContent: summary, content } = await call.run(buildConfig);
  const [block] = content;
  const text = block?.type === 'text' ? block.text : '';
  expect(text).toContain('npm run build  [in packages/p0 and 44 more; package.json: script build: tsc]');
  expect(text).toContain(
    '[A summary of 271 commands. To see each of them, call again with a path, with a task, or with offset 0.]',
  );
  expect(text.length).toBeLessThan(5_000);
  expect(JSON.stringify(summary).length).toBeLessThan(10_000);
  expect(summary).toMatchObject({ total: 271, next: 0, complete: true });

  const seen: unknown[] = [];
  for (let offset: unknown = 0; offset !== undefined;) {
    const { structuredContent } = await call.run(buildConfig, { offset });
    const { commands, next } = structuredContent as { commands: unknown[]; next?: number };
    seen.push(...commands.map((each) => JSON.stringify(each)));
    offset = next;
  }
  expect(new Set(seen).size).toBe(271);
  const { structuredContent: tests } = await call.run(buildConfig, { task: 'test' });
  expect(tests).toMatchObject({ total: 45 });
  expect(tests['commands']).toHaveLength(45);
});
