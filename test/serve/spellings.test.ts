import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../src/testing/index.ts';
import { speak } from './speak.ts';

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
    await using server = await speak({ args: [tree.path] });
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
    await using server = await speak({ args: [tree.path] });
    for (const path of ['.git./hooks/pre-commit', '.env.', '.ENV ', 'id_rsa::$DATA', '.ssh:x/id'])
      expect([path, await server.call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { refused: true, code: 'DENIED' },
      ]);
    expect(existsSync(tree.at('.git.'))).toBe(false);
  });
});
