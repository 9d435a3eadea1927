import { chmodSync, lchownSync, mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../../test/support/trees/boundary-context.ts';
import { nosymfollowMount, mayForbidLinks } from '../../../test/support/trees/mounting.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createLinkRules } from './link-rules.ts';
import { openBoundary } from '../open-boundary.ts';
import { createSystemPathDriver } from './path-driver.ts';
import { procDriver } from './proc-driver.ts';
import { readText } from '../read/read.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const asRoot = isRoot ? '' : ' (skipped: only root can give a link to another user)';
const mayForbid = mayForbidLinks();
const asMounter = mayForbid ? '' : ' (skipped: no mount with nosymfollow can be made here)';
const isProtecting = isRoot && readFileSync('/proc/sys/fs/protected_symlinks', 'utf8').trim() !== '0';
const asProtected = isProtecting ? '' : ' (skipped: this kernel does not protect links)';

describe.runIf(mayForbid)(`on a mount where links are not followed${asMounter}`, () => {
  test.each([
    ['the last name', 'link'],
    ['a directory on the way', 'dir-link/a.txt'],
  ])('a link is not followed: %s', async (_what, path) => {
    using tree = tempTree(['disk/']);
    using mounted = nosymfollowMount(tree.at('disk'));
    expect(mounted).toBeDefined();
    tree.add('disk/real/a.txt = inside', 'disk/link => real/a.txt', 'disk/dir-link => real');
    await using boundary = await openBoundary(tree.path);
    expect(() => readFileSync(tree.at('disk', path))).toThrow('ELOOP');
    await expect(boundary.readText(`disk/${path}`)).rejects.toMatchObject({ code: 'LINK_NOT_FOLLOWED' });
    await expect(boundary.write(`disk/${path}`, 'x')).rejects.toMatchObject({ code: 'LINK_NOT_FOLLOWED' });
    expect(await boundary.readText('disk/real/a.txt')).toBe('inside');
    // The link itself can be looked at and removed.
    expect((await boundary.lstat('disk/link')).kind).toBe('link');
    await boundary.remove('disk/link');
  });

  test('no link there leads to a root', async () => {
    using tree = tempTree(['disk/']);
    using mounted = nosymfollowMount(tree.at('disk'));
    expect(mounted).toBeDefined();
    tree.add('disk/real/a.txt', 'disk/link => real');
    await expect(openBoundary(tree.at('disk/link'))).rejects.toMatchObject({ name: 'RootwardError' });
  });
});

describe.runIf(isRoot)(`in a directory where anyone can create a link${asRoot}`, () => {
  const other = 4_242;

  function shared(): ReturnType<typeof tempTree> {
    const tree = tempTree(['shared/real/a.txt = inside', 'shared/link => real/a.txt', 'shared/dir => real']);
    chmodSync(tree.at('shared'), 0o1777);
    for (const name of ['link', 'dir']) lchownSync(tree.at('shared', name), other, other);
    return tree;
  }

  test('the link of another user is not followed at the end of a path', async () => {
    using tree = shared();
    using context = openContext(tree.path, {
      links: createLinkRules(
        procDriver,
        () => [],
        () => true,
      ),
    });
    await expect(readText(context, 'shared/link')).rejects.toMatchObject({ code: 'LINK_NOT_FOLLOWED' });
  });

  test('on the way it is, as in the kernel', async () => {
    using tree = shared();
    using context = openContext(tree.path, {
      links: createLinkRules(
        procDriver,
        () => [],
        () => true,
      ),
    });
    expect(readFileSync(tree.at('shared/dir/a.txt'), 'utf8')).toBe('inside');
    expect(await readText(context, 'shared/dir/a.txt')).toBe('inside');
  });

  test.each([
    ['where the system does not protect links', () => {}, () => false],
    ['of ours', (tree: string) => lchownSync(`${tree}/shared/link`, 0, 0), () => true],
    [
      'in a directory without the sticky bit',
      (tree: string) => chmodSync(`${tree}/shared`, 0o777),
      () => true,
    ],
    ['where only its owner can write', (tree: string) => chmodSync(`${tree}/shared`, 0o1755), () => true],
  ])('a link is followed %s', async (_where, prepare, protecting) => {
    using tree = shared();
    prepare(tree.path);
    using context = openContext(tree.path, { links: createLinkRules(procDriver, () => [], protecting) });
    expect(await readText(context, 'shared/link')).toBe('inside');
  });

  test.runIf(isProtecting)(`the kernel and a boundary agree${asProtected}`, async () => {
    using tree = shared();
    expect(() => readFileSync(tree.at('shared/link'))).toThrow('EACCES');
    await using boundary = await openBoundary(tree.path);
    await expect(boundary.readText('shared/link')).rejects.toMatchObject({ code: 'LINK_NOT_FOLLOWED' });
  });
});

test('where the system cannot tell, links are followed', () => {
  using tree = tempTree(['a', 'link => a']);
  const driver = createSystemPathDriver(process.platform);
  mkdirSync(tree.at('d'));
  const top = driver.openTop(tree.path);
  expect(createLinkRules(driver).whyNot(top, 'link', true)).toBeUndefined();
  driver.close(top);
});
