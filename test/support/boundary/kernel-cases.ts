import type { ReachCase } from './reach-case.ts';

/** The tree of the kernel's own tests of `openat2`, without its mount. */
const kernelLayout: readonly string[] = [
  'procexe => /proc/self/exe',
  'procroot => /proc/self/root',
  'root/',
  'etc/passwd',
  'creatlink => /newfile3',
  'reletc => etc/',
  'relsym => etc/passwd',
  'absetc => /etc/',
  'abssym => /etc/passwd',
  'abscheeky => /cheeky',
  'cheeky/absself => /',
  'cheeky/self => ../../ROOT/',
  'cheeky/garbageself => /../../ROOT/',
  'cheeky/passwd => ../cheeky/../etc/../etc/passwd',
  'cheeky/abspasswd => /../cheeky/../etc/../etc/passwd',
  `cheeky/dotdotlink => ${'../'.repeat(14)}etc/passwd`,
  `cheeky/garbagelink => /${'../'.repeat(14)}etc/passwd`,
];

const allowed: readonly (readonly [path: string, target: string])[] = [
  ['root', 'root'],
  ['etc', 'etc'],
  ['etc/passwd', 'etc/passwd'],
  ['reletc', 'etc'],
  ['reletc/passwd', 'etc/passwd'],
  ['relsym', 'etc/passwd'],
  ['cheeky/passwd', 'etc/passwd'],
];

/** `EXDEV` with RESOLVE_BENEATH, or `ELOOP` with RESOLVE_NO_MAGICLINKS; without them they lead somewhere. */
const leaving: readonly string[] = [
  '/',
  '..',
  '../ROOT/',
  '/etc/passwd',
  'absetc',
  'absetc/passwd',
  'abssym',
  'cheeky/absself',
  'cheeky/self',
  'cheeky/dotdotlink',
  'cheeky/garbagelink',
  'procexe',
  'procroot',
  'procroot/etc/passwd',
];

/** The same, but outside a chroot there is nothing at their end: that must make no difference. */
const leavingToNothing: readonly string[] = [
  'abscheeky/absself',
  'abscheeky/self',
  'abscheeky/passwd',
  'abscheeky/abspasswd',
  'abscheeky/dotdotlink',
  'abscheeky/garbageself',
  'abscheeky/garbagelink',
  'cheeky/abspasswd',
  'cheeky/garbageself',
  'creatlink',
];

export const kernelCases: readonly ReachCase[] = [
  ...allowed.map(([path, target]) => ({ title: path, layout: kernelLayout, path, target })),
  ...leaving.map((path) => refusedRow(path, false)),
  ...leavingToNothing.map((path) => refusedRow(path, true)),
];

function refusedRow(path: string, alwaysFails: boolean): ReachCase {
  return { title: path, layout: kernelLayout, path, refused: 'OUTSIDE_ROOTS', alwaysFails };
}
