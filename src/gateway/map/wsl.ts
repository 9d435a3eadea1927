import type { PathMapping, MappedPlace } from './path-map.ts';
import { readPlace, toMapping } from './read-mapping.ts';

/** A distribution of the Windows subsystem for Linux. */
export interface WslFacts {
  /** The name of the distribution: `WSL_DISTRO_NAME` there. */
  readonly distribution: string;
  /** The text of `/proc/self/mountinfo` there. Drives are where it says: `/mnt` can be configured away. */
  readonly mountinfo?: string;
  /** The side that runs in Linux; the other one runs on Windows. */
  readonly linux: 'client' | 'server';
}

/**
 * Finds the names that Windows and a distribution have for each other's directories: drives are mounted in Linux, and
 * everything else of Linux is below `\\wsl.localhost\NAME` on Windows.
 */
export function findWslMappings({ distribution, mountinfo = '', linux }: WslFacts): readonly PathMapping[] {
  const places = [
    ...findDrives(mountinfo),
    [readPlace(`\\\\wsl.localhost\\${distribution}\\`), readPlace('/')] as const,
  ];
  return places.flatMap(([windows, posix]) =>
    linux === 'server' ? toMapping(windows, posix, 'wsl') : toMapping(posix, windows, 'wsl'),
  );
}

type ReadPlace = MappedPlace | { readonly fault: string };

/** Drives of Windows in the mount table: 9p with `aname=drvfs;path=C:\`, or `drvfs` with the drive as its source. */
function findDrives(mountinfo: string): readonly (readonly [windows: ReadPlace, posix: ReadPlace])[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const point = unescapeOctal(before.split(' ')[4] ?? '');
    const [type, source = '', options = ''] = after.split(' ').map(unescapeOctal);
    const [, shared] = /(?:^|,)aname=drvfs;path=([^;,]*)/.exec(options) ?? [];
    const [drive] = /^[A-Za-z]:/.exec(shared ?? (type === 'drvfs' ? source : '')) ?? [];
    return drive === undefined ? [] : [[readPlace(`${drive}\\`), readPlace(point)] as const];
  });
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );
}

/** Finds the distribution that a `wsl.exe` command line starts: `''` for the default one; `undefined` for no WSL. */
export function wslDistribution([program = '', ...words]: readonly string[]): string | undefined {
  if (!/(?:^|[\\/])wsl(?:\.exe)?$/i.test(program)) return undefined;
  for (const [index, word] of words.entries()) {
    if (word === '--' || word === '-e' || word === '--exec') return '';
    if (word === '-d' || word === '--distribution') return words[index + 1] ?? '';
    const [, name] = /^--distribution=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) return name;
  }
  return '';
}
