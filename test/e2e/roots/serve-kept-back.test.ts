import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { runShipped } from '../../support/processes/run-command.ts';
import { speakHere, type Spoken } from '../../support/processes/speak.ts';
import { ownHome, type OwnHome } from '../../support/processes/own-home.ts';

const confinement = await probeConfinement();

/** A server that follows the store, and a client that lists roots of its own accord. */
function serve(home: OwnHome, ...listed: readonly string[]): Promise<Spoken> {
  return speakHere({ env: home.env, roots: listed.map((name) => toFileUri(home.at(name))) });
}

async function outcome(server: Spoken, home: OwnHome): Promise<string> {
  const path = home.at('app', 'a.txt');
  const read = await server.call('read_text_file', { path });
  const write = await server.call('write_file', { path: home.at('app', 'new.txt'), content: 'x' });
  return `${read.refused ? 'no' : 'reads'} ${write.refused ? 'no' : 'writes'}`;
}

test('`rootward check` here says what the server would do here', async () => {
  using home = ownHome(['app/a.txt', 'app/.env', 'docs/b.txt', 'other/c.txt']);
  await home.run('add', 'app', 'docs');
  await home.run('allow', 'docs', 'write');
  await home.run('deny', 'app', '--server', 'rootward');
  await using server = await speakHere({ env: home.env, cwd: home.at() });
  for (const path of ['docs/b.txt', 'app/a.txt', 'other/c.txt']) {
    const content = { path: home.at(path), content: 'new' };
    const [read, write] = [
      await server.call('read_text_file', { path: home.at(path) }),
      await server.call('write_file', content),
    ];
    const [mayRead, mayWrite] = await Promise.all(
      ['read', 'write'].map((operation) => runShipped(home, 'check', operation, path)),
    );
    expect([path, mayRead?.code, mayWrite?.code]).toEqual([
      path,
      Number(read.refused),
      Number(write.refused),
    ]);
  }
});

describe('a client that lists what a person keeps from this server', () => {
  test.each([
    ['by a no', ['deny', 'app', '--server', 'rootward']],
    ['by a list that leaves it out', ['limit', 'rootward', 'docs']],
    ['by a list of nothing', ['limit', 'rootward']],
  ])('%s gets nothing of it', async (_case, said) => {
    using home = ownHome(['app/a.txt', 'app/sub/s.txt', 'docs/b.txt']);
    await home.run('add', 'app', 'docs');
    expect(await home.run(...said)).toMatchObject({ code: 0 });
    await using server = await serve(home);
    for (const [index, listed] of ['app', '.', 'app/sub'].entries()) {
      await server.change(toFileUri(home.at(listed)));
      expect([listed, await outcome(server, home)]).toEqual([listed, 'no no']);
      // It was asked, and listed this one.
      expect(server.player.asks.length).toBeGreaterThan(index);
      expect((await server.call('read_text_file', { path: home.at('app', 'sub', 's.txt') })).refused).toBe(
        true,
      );
      expect(existsSync(home.at('app', 'new.txt'))).toBe(false);
    }
  });

  test('by a no, while it runs, loses it at the next call', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    await using server = await serve(home, 'app');
    expect(await outcome(server, home)).toBe('reads no');
    await home.run('deny', 'app', '--server', 'rootward');
    expect(await outcome(server, home)).toBe('no no');
    await home.run('forget', 'app', '--server', 'rootward');
    expect(await outcome(server, home)).toBe('reads no');
  });

  test('Negative control: what is stored and shown is limited, what is not stored is as the client says', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    await using server = await serve(home, 'app');
    expect(await outcome(server, home)).toBe('reads no');
    // The store has nothing to say about what is removed: it is the client's word that counts.
    await home.run('remove', 'app');
    expect(await outcome(server, home)).toBe('reads writes');
  });
});

describe('what Rootward keeps for itself', () => {
  test.each([
    ['a stored root', ['--force', '$HOME']],
    ['a stored root around it', ['--force', '$TREE']],
    ['the very file, stored', ['--force', '$HOME/roots.jsonc']],
    ['a link to it, stored', ['--force', '$TREE/work/link']],
  ])('is not reached through %s, whatever it permits', async (_case, argv) => {
    using home = ownHome();
    symlinkSync(home.tree.at('home'), home.at('link'));
    await home.run('add', 'app');
    const placed = argv.map((text) =>
      text.replace('$HOME', home.tree.at('home')).replace('$TREE', home.tree.path),
    );
    const added = await home.run('add', '--preset', 'write-in-project', ...placed);
    expect(added.code).toBe(0);
    await using server = await speakHere({ env: home.env });
    const before = home.text();
    for (const path of [home.file, home.at('link', 'roots.jsonc')]) {
      expect(await server.call('write_file', { path, content: '{}' })).toMatchObject({ refused: true });
      expect(await server.call('read_text_file', { path })).toMatchObject({ refused: true });
    }
    const log = home.tree.at('home', 'log', 'audit.jsonl');
    expect(await server.call('read_text_file', { path: log })).toMatchObject({ refused: true });
    expect(home.text()).toBe(before);
    // Negative control: the server reads what else there is.
    expect(await server.call('read_text_file', { path: home.at('app', 'a.txt') })).toMatchObject({
      refused: false,
    });
  });

  test.runIf(confinement.kind !== 'none')('is not seen by a program that runs around it', async () => {
    using home = ownHome();
    await home.run('add', '--force', '--allow', 'read,list,execute', home.tree.path);
    await using server = await speakHere({ env: home.env });
    const { text } = await server.call('shell', {
      command: 'cat work/app/a.txt home/roots.jsonc; ls home; echo end',
    });
    expect(text).toContain('end');
    expect(text).not.toMatch(/"path"|roots\.jsonc\n/);
  });

  test.each([
    ['a directory of the command', { args: ['$TREE'] }],
    ['the project that is found', { cwd: '$TREE/home' }],
    ['a root of the client', { roots: ['file://$TREE/home'] }],
  ])('is not reached as %s', async (_case, options) => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('remove', 'app');
    writeFileSync(home.tree.at('home', 'package.json'), '{}');
    const placed = JSON.parse(JSON.stringify(options).replaceAll('$TREE', home.tree.path)) as Parameters<
      typeof speakHere
    >[0];
    await using server = await speakHere({ ...placed, env: home.env });
    const before = home.text();
    expect(await server.call('write_file', { path: home.file, content: '{}' })).toMatchObject({
      refused: true,
    });
    expect(
      await server.call('move_file', { source: home.tree.at('home'), destination: home.tree.at('x') }),
    ).toMatchObject({ refused: true });
    expect(home.text()).toBe(before);
    // Negative control: with its own things elsewhere the same server reaches that file.
    using other = ownHome();
    await using control = await speakHere({ ...placed, env: other.env });
    expect(await control.call('read_text_file', { path: home.file })).toMatchObject({ refused: false });
    expect(readFileSync(home.file, 'utf8')).toBe(before);
  });
});
