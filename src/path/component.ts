import type { Platform } from './platform.ts';

/** NAME_MAX of every file system in common use: bytes on posix, UTF-16 units on Windows. */
const longestName = 255;

/** Each code unit can take three bytes in UTF-8, so anything up to this length needs no counting. */
export const surelyShort: number = Math.floor(longestName / 3);

/** Win32 maps these to devices in every directory, whatever the extension. */
const deviceName = /^(?:CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³]|CONIN\$|CONOUT\$)$/i;

/** A generated 8.3 alias such as `PROGRA~1`: a second spelling that would slip past every rule on names. */
const shortName = /^(?=[^.]{1,8}(?:\.|$))[^.]*~[0-9]+(?:\.[^.]{0,3})?$/;

const tooLong = `a name in it is longer than ${longestName}`;

const forbiddenOnWindows = /[\u0000-\u001F<>:"|?*/\\]/;

/**
 * Why one name cannot be a component of a path, or `undefined` if it can. `.` and `..` are not judged here:
 * what they mean depends on where they stand.
 */
export function componentFault(name: string, platform: Platform): string | undefined {
  if (name === '') return 'a name in it is empty';
  if (name.includes('\0')) return 'it contains NUL';
  if (!name.isWellFormed()) return 'it contains a lone surrogate';
  return platform === 'win32' ? windowsFault(name) : posixFault(name);
}

function posixFault(name: string): string | undefined {
  if (name.includes('/')) return 'a name in it contains a separator';
  if (name.length > surelyShort && Buffer.byteLength(name) > longestName) return tooLong;
  return undefined;
}

function windowsFault(name: string): string | undefined {
  const forbidden = forbiddenOnWindows.exec(name)?.[0];
  if (forbidden === ':') return 'it names a stream or a drive within the path';
  if (forbidden !== undefined) return 'it contains a character that Windows forbids in names';
  if (name.endsWith('.') || name.endsWith(' ')) return 'a name in it ends with a dot or a space';
  if (isDeviceName(name)) return 'it names a device';
  if (shortName.test(name)) return 'it uses a short (8.3) name';
  return name.length > longestName ? tooLong : undefined;
}

function isDeviceName(name: string): boolean {
  const dot = name.indexOf('.');
  const base = dot === -1 ? name : name.slice(0, dot);
  return deviceName.test(base.trimEnd());
}
