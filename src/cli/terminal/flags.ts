import { quote } from '../../base/quote.ts';
import { longestTimer } from '../../base/wait.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import { parseMarker } from '../../workspace/project/find-markers.ts';

interface MarkerFlag {
  readonly kind: 'parsed';
  readonly parse: (text: string) => string;
  readonly variadic: true;
  readonly optional: true;
  readonly brief: string;
  readonly placeholder: string;
}

/** `--marker NAME`, for every command that looks for additional markers. */
export const markerFlag: MarkerFlag = {
  kind: 'parsed',
  parse: (text) => parseMarker(text),
  variadic: true,
  optional: true,
  brief: "The product's own marker; may be repeated",
  placeholder: 'name',
};

/** Parses the name of an operation. */
export function parseOperation(text: string): Operation {
  const operation = operations.find((name) => name === text);
  if (operation === undefined)
    throw new Error(`${quote(text)} is not an operation; use one of ${operations.join(', ')}`);
  return operation;
}

/** Where a command that searches begins. */
export const searchStart = {
  kind: 'tuple',
  parameters: [
    {
      brief: 'Where to look; here by default',
      parse: (text: string): string => text,
      optional: true,
      placeholder: 'dir',
    },
  ],
} as const;

/** `--depth N`, for every command that searches. */
export const depthFlag = {
  kind: 'parsed',
  parse: (text: string): number => parseCount(text),
  optional: true,
  brief: 'Maximum depth in directories; 8 by default',
  placeholder: 'n',
} as const;

/** Flags and arguments that several commands of `rootward roots` share. */
export const json = { kind: 'boolean', default: false, brief: 'Print it as JSON' } as const;

export const server = {
  kind: 'parsed',
  parse: (text: string): string => text,
  optional: true,
  brief: 'For this server alone, by the name that its host has for it',
  placeholder: 'name',
} as const;

export const presetNames: readonly PresetName[] = ['read-only', 'write-in-project', 'ask-before-write'];

export const root = {
  brief: 'Name, path or file URI of a root; a relative path starts here',
  parse: (text: string): string => text,
  placeholder: 'root',
} as const;

/** `read,write` */
export function parseOperations(text: string): readonly Operation[] {
  return text.split(',').map(parseOperation);
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (text === '' || !Number.isSafeInteger(count) || count < 0)
    throw new Error('a non-negative integer is expected');
  return count;
}

/** The longest wait in seconds. */
const longest = Math.floor(longestTimer / 1_000);

export function parseSeconds(text: string): number {
  const seconds = parseCount(text);
  if (seconds > longest) throw new Error(`at most ${longest} seconds can be waited for`);
  return seconds;
}

/** The exit codes, for the help of every `roots` command. */
export const exitCodes = 'Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 failed.';
