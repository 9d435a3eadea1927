import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { ownHome } from '../../support/processes/own-home.ts';
import { diskKinds, fillDisk, type MountedDisk } from '../../support/trees/mounts.ts';
import { shortNames } from '../../support/trees/short-names.ts';
import { type Answer, speakHere, type Spoken } from '../../support/processes/speak.ts';

const confinement = await probeConfinement();

/* Other names of secrets, tried on the real process. */

describe('on an ordinary disk', () => {
  test('copies of secrets, and secrets of git in unusual places, are not read', async () => {
    const secrets = [
      '.env~',
      '.env-prod',
      '#.env#',
      'prod.env.bak',
      '.netrc~',
      '.id_rsa.swp',
      '.config/git/credentials',
      '.git/worktrees/next/config.worktree',
      'mirror.git/config',
    ];
    using tree = tempTree([...secrets.map((name) => `${name} = TOP-SECRET`), '.env-example = shown']);
    await using server = await speakHere({ args: [tree.path] });
    for (const path of secrets) {
      expect(readFileSync(tree.at(path), 'utf8')).toBe('TOP-SECRET');
      expect([path, await server.call('read_text_file', { path })]).toMatchObject([
        path,
        { refused: true, code: 'DENIED' },
      ]);
    }
    const found = await server.call('search_text', { pattern: 'TOP-SECRET' });
    expect(found.text).not.toContain('TOP-SECRET');
    expect(await server.call('read_text_file', { path: '.env-example' })).toMatchObject({ text: 'shown' });
  });

  test('no name is created that a FAT or NTFS disk would take for a denied one', async () => {
    using tree = tempTree(['.git/HEAD = ref: refs/heads/main']);
    await using server = await speakHere({ args: [tree.path] });
    for (const path of ['.git./hooks/pre-commit', '.env.', '.ENV ', 'id_rsa::$DATA', '.ssh:x/id'])
      expect([path, await server.call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { refused: true, code: 'DENIED' },
      ]);
    expect(existsSync(tree.at('.git.'))).toBe(false);
  });
});

/** What each tool is asked about a secret, and about the inside of `.git`, under another name. */
type Attack = readonly [tool: string, input: (spelled: string) => object];

const reading: readonly Attack[] = [
  ['read_text_file', (path) => ({ path })],
  ['read_multiple_files', (path) => ({ paths: [path] })],
  ['read_media_file', (path) => ({ path })],
  ['search_text', (path) => ({ pattern: 'SECRET', path })],
  ['copy_file', (source) => ({ source, destination: 'stolen' })],
  ['move_file', (source) => ({ source, destination: 'stolen' })],
  ['remove_file', (path) => ({ path })],
];

const writing: readonly Attack[] = [
  ['write_file', (path) => ({ path, content: 'PLANTED' })],
  ['edit_file', (path) => ({ path, edits: [{ oldText: 'sh', newText: 'PLANTED' }] })],
  ['copy_file', (destination) => ({ source: 'plain.txt', destination, overwrite: true })],
  ['move_file', (destination) => ({ source: 'plain.txt', destination })],
  ['remove_file', (path) => ({ path })],
];

const files = {
  'credentials.json': 'SECRET',
  '.ssh/id_work': 'SECRET',
  '.git/hooks/pre-commit': '#!/bin/sh',
  '.state/keep': 'SECRET',
  'plain.txt': 'plain',
};

function fill(disk: MountedDisk): void {
  fillDisk(disk.path, files);
  for (const directory of ['', '.git', '.ssh'])
    for (const [entry, short] of shortNames(readdirSync(`${disk.path}/${directory}`), 'numbered'))
      disk.nameShortly(`${disk.path}/${directory}/${entry}`, short);
}

for (const kind of diskKinds.filter(({ title }) => title.startsWith('NTFS'))) {
  const reason = kind.missing === undefined ? '' : ` (skipped: ${kind.missing})`;
  describe.runIf(kind.missing === undefined)(`on ${kind.title}${reason}`, () => {
    test('no tool reaches a secret, hooks or our own directory under another name', async () => {
      using disk = kind.mount();
      fill(disk);
      const env = { ROOTWARD_HOME: `${disk.path}/.state` };
      await using server = await speakHere({ args: [disk.path, '--allow', 'remove'], env });
      for (const path of ['CREDEN~1.JSO', 'SSH~1/id_work', 'STATE~1/keep']) {
        // A reader that asks the disk alone gets something.
        expect(readFileSync(`${disk.path}/${path}`, 'utf8')).toBe('SECRET');
        await expectRefused(server, reading, path);
      }
      await expectRefused(server, writing, 'GIT~1/hooks/PRE-CO~1');
      await expectRefused(server, writing, 'GIT~1/hooks/new');
      for (const path of ['SSH~1', 'STATE~1'])
        expect(await server.call('list_directory', { path })).toMatchObject({
          refused: true,
          code: 'DENIED',
        });
      const told = await server.call('check_path', { path: 'CREDEN~1.JSO', operation: 'read' });
      expect(told.text).toContain('deny:credentials.json');
      expect(await server.call('read_text_file', { path: 'PLAIN.TXT' })).toMatchObject(
        kind.title.endsWith('case') ? { text: 'plain' } : { refused: true },
      );
      for (const [path, text] of Object.entries(files))
        expect([path, readFileSync(`${disk.path}/${path}`, 'utf8')]).toEqual([path, text]);
    });

    test('a root that a person refused is not reached by another spelling of its path', async () => {
      using disk = kind.mount();
      fillDisk(disk.path, { 'Refused Root/a.txt': 'SECRET', 'Refused Root/sub/b.txt': 'SECRET' });
      disk.nameShortly(`${disk.path}/Refused Root`, 'REFUSE~1');
      using home = ownHome();
      await home.run('add', `${disk.path}/Refused Root`);
      expect(await home.run('deny', 'Refused Root', '--server', 'rootward')).toMatchObject({ code: 0 });
      for (const name of ['REFUSE~1', 'REFUSE~1/sub', 'refused root']) {
        if (!existsSync(`${disk.path}/${name}`)) continue;
        await using server = await speakHere({ env: home.env, roots: [toFileUri(`${disk.path}/${name}`)] });
        for (const file of ['a.txt', 'sub/b.txt', 'b.txt']) {
          const path = `${disk.path}/${name}/${file}`;
          const answer = await server.call('read_text_file', { path });
          expect([path, answer]).toMatchObject([
            path,
            { refused: true, code: expect.any(String) as unknown },
          ]);
        }
      }
    });

    test.runIf(confinement.kind !== 'none')('the shell sees no secret under another name', async () => {
      using disk = kind.mount();
      fill(disk);
      await using server = await speakHere({ args: [disk.path, '--allow', 'execute,remove'] });
      const seen = await server.call('shell', {
        command: 'cat CREDEN~1.JSO SSH~1/* CREDENTIALS.JSON .SSH/*',
      });
      expect(seen).toMatchObject({ refused: true, code: 'CANNOT_CONFINE' });
      expect(seen.text).not.toContain('SECRET');
      await server.call('shell', {
        command: 'echo PLANTED > GIT~1/hooks/new; echo PLANTED > .GIT/hooks/new',
      });
      expect(existsSync(`${disk.path}/.git/hooks/new`)).toBe(false);
    });
  });
}

async function expectRefused(server: Spoken, attacks: readonly Attack[], path: string): Promise<void> {
  for (const [tool, input] of attacks) {
    const answer: Answer = await server.call(tool, { ...input(path) });
    // A server that has ended refuses nothing.
    expect(answer.text).not.toContain('closed');
    const harmless = { tool, path, text: expect.not.stringContaining('SECRET') as unknown };
    expect({ tool, path, text: answer.text.replaceAll(path, '') }).toEqual(harmless);
    if (tool !== 'search_text' && tool !== 'read_multiple_files')
      expect({ tool, path, refused: answer.refused }).toEqual({ tool, path, refused: true });
  }
}
