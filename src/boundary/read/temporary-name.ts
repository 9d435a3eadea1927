import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const beginning = '.rootward-';
const pattern = /^\.rootward-([\da-f]{6})([\da-f]{6})[\da-f]{12}\.tmp$/;

/**
 * A name that nobody guesses, that sorts to the side, and that tells whose it is if a crash leaves it: where the
 * writer ran, and which process it was.
 */
export function temporaryName(): string {
  return `${beginning}${systemToken()}${hexadecimal(process.pid)}${randomBytes(6).toString('hex')}.tmp`;
}

/** The process that a name tells of: one that can be looked for here, or `undefined` for one elsewhere. */
export interface TemporaryWriter {
  readonly pid: number | undefined;
}

/** Whether a file of this name is one that is being written, by whomever. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(beginning) && pattern.test(name);
}

/** Who wrote a file of this name; `undefined` if it is none of ours. */
export function writerOf(name: string): TemporaryWriter | undefined {
  const [, token, pid = ''] = pattern.exec(name) ?? [];
  if (token === undefined) return undefined;
  return { pid: token === systemToken() ? Number.parseInt(pid, 16) : undefined };
}

/** Two containers or two machines may share a directory, and not the numbers of their processes. */
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
