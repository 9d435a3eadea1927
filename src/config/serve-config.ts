import { RootwardError } from '../errors.ts';
import {
  type Field,
  invalid,
  parseBoolean,
  parseList,
  parseObject,
  parseText,
  parseWord,
} from '../policy/field.ts';
import { type MergeMode, mergeModes } from '../policy/merge-outcome.ts';
import { parsePolicy } from '../policy/policy.ts';
import type { PolicyConfig } from '../policy/policy-config.ts';
import { parseShellConfig, type ShellConfig } from './serve-config-shell.ts';

/** What a file of settings for `rootward serve` may say. Everything is optional. */
export interface ServeConfig {
  /** What may be reached; on stdio the client may add to it, unless `merge` says otherwise. */
  readonly directories?: readonly string[];
  /** The project, whatever the client says. */
  readonly project?: string;
  readonly merge?: MergeMode;
  readonly policy?: PolicyConfig;
  /** The product's own markers. */
  readonly markers?: readonly string[];
  readonly logFile?: string;
  readonly debug?: boolean;
  /** `HOST:PORT` to listen on instead of stdio, or `unix:/path`. */
  readonly http?: string;
  /** Other names by which the endpoint may be called, and pages that may call it. */
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  readonly tokenFile?: string;
  /** Where sessions are kept for several nodes, and the key that these share. */
  readonly sessions?: string;
  readonly sessionsPrefix?: string;
  readonly sealingKeyFile?: string;
  /** How many processes serve. */
  readonly workers?: number;
  readonly allowUnconfinedShell?: boolean;
  /** What command lines of the shell tool may use. */
  readonly shell?: ShellConfig;
  /** Whether the roots that the person keeps are what may be reached; without directories yes, over HTTP no. */
  readonly store?: boolean;
  /** What the person calls this server there; `rootward` by default. */
  readonly server?: string;
}

const readers: { readonly [Key in keyof ServeConfig]-?: (field: Field) => ServeConfig[Key] } = {
  directories: parseTexts,
  project: parseText,
  merge: (field) => parseWord(field, mergeModes, 'modes'),
  policy: parsePolicyField,
  markers: parseTexts,
  logFile: parseText,
  debug: parseBoolean,
  http: parseText,
  hosts: parseTexts,
  origins: parseTexts,
  tokenFile: parseText,
  sessions: parseText,
  sessionsPrefix: parseText,
  sealingKeyFile: parseText,
  workers: parseWorkers,
  allowUnconfinedShell: parseBoolean,
  shell: parseShellConfig,
  store: parseBoolean,
  server: parseText,
};

/**
 * Reads settings strictly: a key that is unknown or of the wrong kind refuses them all.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeConfig(value: unknown): ServeConfig {
  try {
    const fields = parseObject({ value, where: '' }, Object.keys(readers) as (keyof ServeConfig)[]);
    const read = Object.entries(fields).map(
      ([key, field]) => [key, readers[key as keyof ServeConfig](field)] as const,
    );
    return Object.fromEntries(read);
  } catch (error) {
    // The fields are those of a policy, and so are its words for what is wrong with them.
    if (!RootwardError.is(error, 'INVALID_POLICY')) throw error;
    throw new RootwardError('INVALID_CONFIG', error.data, { cause: error });
  }
}

function parseWorkers(field: Field): number {
  const { value } = field;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 999) return value;
  throw invalid(field, 'it is no number from 1 to 999');
}

function parseTexts(field: Field): readonly string[] {
  return parseList(field).map(parseText);
}

/** Compiled to find its faults; what is kept is the text, because flags may add to it. */
function parsePolicyField({ value, where }: Field): PolicyConfig {
  try {
    parsePolicy(value);
    return value as PolicyConfig;
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_POLICY')) throw error;
    const { where: inner, reason } = error.data;
    throw new RootwardError('INVALID_POLICY', { where: `${where}.${inner}`, reason });
  }
}
