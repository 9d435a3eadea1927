import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';

describe('rootward where', () => {
  test('prints the project, its source, and every source tried', async () => {
    using tree = tempTree(['app/.git/HEAD', 'app/package.json = {"name":"my-app"}', 'app/src/']);
    const { stdout, stderr, code } = await runInMemory(tree.at('app/src'), ['where']);
    expect(stdout).toContain('project   my-app\n');
    expect(stdout).toContain(`location  ${tree.at('app')}\n`);
    expect(stdout).toContain('source    walk-up (likely): found .git going up');
    expect(stdout).toMatch(/·  argument +the call names no directory\n/);
    expect(stdout).toMatch(/→  walk-up +".*src": found \.git going up\n/);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  test('prints everything as JSON', async () => {
    using tree = tempTree(['app/.git/HEAD']);
    const { stdout } = await runInMemory(tree.at('app'), ['where', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'resolved',
      project: { name: 'app', location: tree.at('app'), kind: 'repository' },
      source: 'walk-up',
      roots: [{ path: tree.at('app') }],
      trail: expect.arrayContaining([expect.objectContaining({ source: 'roots', outcome: 'absent' })]),
    });
  });

  test('gives advice for the client when nothing is found', async () => {
    const { stdout, code } = await runInMemory('/', ['where', '--client', 'cursor-vscode']);
    expect(stdout).toContain('Cannot determine the project');
    expect(stdout).toContain('.cursor/mcp.json');
    expect(code).toBe(1);
    const failed = await runInMemory('/', ['where', '--json']);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: 'unresolved',
      error: { code: 'PROJECT_NOT_FOUND' },
    });
  });

  test('lists what was tried once, and a missing directory once', async () => {
    using tree = tempTree([]);
    const { stdout } = await runInMemory(tree.path, ['where', '--cwd', 'gone']);
    expect(stdout).toMatch(/^Cannot determine the project\n/);
    expect(stdout.match(/the client was not asked for roots/g)).toHaveLength(1);
    expect(stdout.match(/Cannot use root/g)).toHaveLength(1);
  });

  test('starts elsewhere, pins a project, and reads it from the environment', async () => {
    using tree = tempTree(['a/.git/HEAD', 'b/.git/HEAD']);
    expect((await runInMemory(tree.at('a'), ['where', '--cwd', '../b'])).stdout).toContain(tree.at('b'));
    expect((await runInMemory(tree.at('a'), ['where', '--project', '../b'])).stdout).toContain(
      'pinned (certain)',
    );
    const twin = await runInMemory(tree.at('a'), ['where'], { ROOTWARD_PROJECT: tree.at('b') });
    expect(twin.stdout).toContain('pinned (certain)');
  });

  test('shows the sources in the order of the client', async () => {
    using tree = tempTree(['app/.git/HEAD']);
    const orderFor = async (client: string): Promise<readonly string[]> => {
      const { stdout } = await runInMemory(tree.at('app'), ['where', '--client', client]);
      return [...stdout.matchAll(/^ {2}\S {2}(client-env|walk-up|operator)/gm)].map(([, name]) => name ?? '');
    };
    expect(await orderFor('claude-code')).toEqual(['client-env', 'operator', 'walk-up']);
    expect(await orderFor('copilot-cli')).toEqual(['operator', 'walk-up', 'client-env']);
  });

  test('reproduces the presets', async () => {
    using tree = tempTree(['a/']);
    const rfc = await runInMemory(tree.at('a'), ['where', '--preset', 'rfc-0020', '--marker', '.blue']);
    expect(rfc.stdout).toContain("Initialize Blue with 'blue init'");
    const adr = await runInMemory(tree.at('a'), ['where', '--preset', 'adr-009'], { PWD: '.' });
    expect(adr.stdout).toContain('Project context not available.');
  });

  test('prints the policy as a truth table', async () => {
    const { stdout } = await runInMemory('/', ['where', '--policy']);
    expect(stdout).toContain('intersect');
    expect(stdout).toContain('nothing');
    expect(JSON.parse((await runInMemory('/', ['where', '--policy', '--json'])).stdout)).toBeInstanceOf(
      Array,
    );
  });

  test('reads more client facts, and refuses bad ones with file and line', async () => {
    using tree = tempTree(['app/', 'bad.json = [\n{"id": 1}]']);
    tree.add('good.json = [{"id":"x","match":[["exact","x"]],"remedy":"turn it off and on"}]');
    const good = await runInMemory('/', ['where', '--client', 'x', '--profiles', tree.at('good.json')]);
    expect(good.stdout).toContain('turn it off and on');
    const bad = await runInMemory('/', ['where', '--profiles', tree.at('bad.json')]);
    expect(bad).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('bad.json:2:8') });
  });
});

describe('rootward where --map', () => {
  const docker = ['docker', 'run', '-v', '/home/me/app:/work', '-v', '/c:/c/d', 'image'];

  test('prints the names of a server in a container, and those that cannot be used', async () => {
    const { stdout, stderr, code } = await runInMemory('/', ['where', '--map', '--', ...docker]);
    expect(stdout).toMatch(/^"\/home\/me\/app" +"\/work" +the command of the container\n$/);
    expect(stderr).toContain('Cannot map "/c" to "/c/d"');
    expect(code).toBe(0);
    const json = await runInMemory('/', ['where', '--map', '--json', '--', ...docker]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ client: '/home/me/app', server: '/work' }]);
  });

  test('says so if the names are the same, and a command without --map is wrong usage', async () => {
    const { stdout } = await runInMemory('/', ['where', '--map', '--', 'node', 'server.js']);
    expect(stdout).toBe('The server has the same names for directories as the client\n');
    expect(await runInMemory('/', ['where', '--', 'node'])).toMatchObject({ code: 2 });
  });
});
