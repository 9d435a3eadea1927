import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const beginning = '.rootward-';
const pattern = /^\.rootward-([\da-f]{6})([\da-f]{6})[\da-f]{12}\.tmp$/;

/**
 * Creates an unguessable name that sorts to the side and identifies its writer if a crash leaves it: the
 * system and the process.
 */
export function temporaryName(): string {
  return `${beginning}${systemToken()}${hexadecimal(process.pid)}${randomBytes(6).toString('hex')}.tmp`;
}

/** The process that a name identifies; `undefined` for one on another system. */
export interface TemporaryWriter {
  readonly pid: number | undefined;
}

/** Whether a name belongs to a file that some process is writing. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(beginning) && pattern.test(name);
}

/** Returns the writer of a file by its name, or `undefined` if the name is not a temporary one. */
export function writerOf(name: string): TemporaryWriter | undefined {
  const [, token, pid = ''] = pattern.exec(name) ?? [];
  if (token === undefined) return undefined;
  return { pid: token === systemToken() ? Number.parseInt(pid, 16) : undefined };
}

/** Containers and machines may share a directory, but not process ids. */
function systemToken(): string {
  return createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 6);
}

function processNamespace(): string {
  try {
    return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
  } catch {
    return '';
  }
}

function hexadecimal(pid: number): string {
  return (pid % 0x1_00_00_00).toString(16).padStart(6, '0');
}
