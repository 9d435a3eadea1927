/**
 * The naming rules that apply. Code in this room takes them as a parameter, so that tests cover both on any
 * system.
 */
export type Platform = 'posix' | 'win32';

/** The naming rules of the system this process runs on. */
export const hostPlatform: Platform = process.platform === 'win32' ? 'win32' : 'posix';
