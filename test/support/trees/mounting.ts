import { execFileSync } from 'node:child_process';
import { tempTree } from '../../../src/testing/temp-tree.ts';

/** Shows a directory at a second place until it is disposed of; both are made. */
export function bindMount(from: string, to: string): Disposable {
  execFileSync('mount', ['--bind', from, to], { stdio: 'pipe' });
  return unmounting(to);
}

/** An empty file system on a directory until it is disposed of. */
export function emptyMount(to: string): Disposable {
  execFileSync('mount', ['-t', 'tmpfs', 'rootward-test', to], { stdio: 'pipe' });
  return unmounting(to);
}

function unmounting(path: string): Disposable {
  let mounted = true;
  return {
    [Symbol.dispose]: () => {
      if (mounted) execFileSync('umount', [path], { stdio: 'pipe' });
      mounted = false;
    },
  };
}

/** Whether this user may mount here: root on Linux, outside of most containers. */
export function mayMount(): boolean {
  if (process.platform !== 'linux') return false;
  using tree = tempTree(['a/', 'b/']);
  try {
    bindMount(tree.at('a'), tree.at('b'))[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** An empty file system where the kernel follows no links, until it is disposed of. */
export function nosymfollowMount(to: string): Disposable {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'nosymfollow', 'rootward-test', to], { stdio: 'pipe' });
  return unmounting(to);
}

/** Whether this user may mount, and the system knows `nosymfollow`: Linux 5.10, util-linux 2.37. */
export function mayForbidLinks(): boolean {
  if (!mayMount()) return false;
  using tree = tempTree(['a/']);
  try {
    nosymfollowMount(tree.at('a'))[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}
