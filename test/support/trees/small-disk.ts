import { execFileSync } from 'node:child_process';

/** A file system with room for little more than nothing. */
export interface SmallDisk extends Disposable {
  readonly path: string;
}

/** Mounts one on an empty directory; `undefined` where that is not permitted. */
export function mountSmallDisk(path: string, kilobytes = 64): SmallDisk | undefined {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'rootward-test', path], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return { path, [Symbol.dispose]: () => void execFileSync('/bin/umount', [path]) };
}

export const needsMount = 'only root may mount a small disk, on Linux';
