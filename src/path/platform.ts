/** Which rules of naming apply. A parameter everywhere in this room, so that both can be tested anywhere. */
export type Platform = 'posix' | 'win32';

/** The rules of the system this process runs on. */
export const hostPlatform: Platform = process.platform === 'win32' ? 'win32' : 'posix';
