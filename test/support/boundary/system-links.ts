/** A link to a place of the system that gives away much, or never ends. */
export interface SystemLink {
  readonly target: string;
  /** The path to try, if not the link itself. */
  readonly path?: string;
}

/**
 * For operations that only look: if one of them got through, nothing would be damaged. What operations that
 * change something do with such links is tried beneath `/proc/self/root` in the escape table.
 */
export const systemLinks: readonly SystemLink[] = [
  { target: '/' },
  { target: '/', path: 'link/etc/passwd' },
  { target: '/etc/passwd' },
  { target: '/dev/stdin' },
  { target: '/dev/zero' },
  { target: '/dev/fd/0' },
  { target: '/dev', path: 'link/zero' },
  { target: '/proc/self/root' },
  { target: '/proc/self/cwd' },
  { target: '/proc/self/exe' },
  { target: '/proc/self/environ' },
  { target: '/proc/self/fd/0' },
  { target: '/proc/self', path: 'link/environ' },
  { target: '/proc/thread-self/root', path: 'link/etc/passwd' },
];
