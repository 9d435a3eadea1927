import { posix } from 'node:path';
import { quote } from '../../../base/quote.ts';
import { RootwardError } from '../../../errors.ts';
import { nameKey } from '../../../path/fold.ts';
import { compileGlobs, countAlternatives, type GlobSet } from '../../../path/glob.ts';
import type { Platform } from '../../../path/platform.ts';
import type { MemberRule } from './declaration.ts';

/** The directories that a declaration names as packages. */
export interface MemberSet {
  /** Whether a directory is a package, by its `/`-separated path from the directory of the declaration. */
  has(relative: string): boolean;
}

export interface CompiledMembers {
  readonly members: MemberSet;
  /** Rules that could not be used, each with its reason. */
  readonly faults: readonly string[];
}

/** Compiles rules. The last matching rule decides; a path that leads out of the directory never matches. */
export function compileMembers(rules: readonly MemberRule[], platform: Platform): CompiledMembers {
  const key = nameKey({ platform });
  const faults: string[] = [];
  const groups = runs(rules, platform, faults).map((run) => compileRun(run, platform));
  const members: MemberSet = {
    has(relative) {
      const text = key(relative);
      const last = groups.findLast(({ exact, globs }) => exact.has(text) || globs.match(text) !== undefined);
      return last?.except === false;
    },
  };
  return { members, faults };
}

interface Run {
  readonly except: boolean;
  readonly exact: string[];
  readonly globs: string[];
}

/** Limits, because every project is compared with every glob and exception above it. */
const limits = { rules: 100_000, globs: 200, alternatives: 1_000, runs: 100 } as const;

/** Groups neighbouring rules of one kind, whose order does not matter. */
function runs(rules: readonly MemberRule[], platform: Platform, faults: string[]): readonly Run[] {
  const found: Run[] = [];
  let [globs, alternatives] = [0, 0];
  for (const rule of rules.slice(0, limits.rules)) {
    const { except = false } = rule;
    const place = normalize(rule, platform);
    if (place === undefined) continue;
    const isExact = rule.literal === true || !isGlob(place);
    globs += isExact ? 0 : 1;
    if (globs > limits.globs || found.length > limits.runs) {
      faults.push('it has more patterns than are looked at');
      break;
    }
    if (!isExact && !isUsable(place, faults)) continue;
    alternatives += isExact ? 0 : countAlternatives(place);
    if (alternatives > limits.alternatives) {
      faults.push('its braces expand to too many patterns');
      break;
    }
    if (found.at(-1)?.except !== except) found.push({ except, exact: [], globs: [] });
    found.at(-1)?.[isExact ? 'exact' : 'globs'].push(place);
  }
  if (rules.length > limits.rules) faults.push('it names more packages than are looked at');
  return found;
}

/**
 * Returns the pattern without `./`, `//` and slashes at its ends; `undefined` for the directory itself and
 * above.
 */
function normalize({ pattern, literal }: MemberRule, platform: Platform): string | undefined {
  const slashed = literal === true && platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const plain = posix.normalize(slashed).replaceAll(/^\/+|\/+$/g, '');
  return plain === '' || plain === '.' || plain === '..' || plain.startsWith('../') ? undefined : plain;
}

function isGlob(pattern: string): boolean {
  return /[*?[\]{}\\]|[!+@]\(/.test(pattern);
}

function isUsable(glob: string, faults: string[]): boolean {
  try {
    // Anchored, as it will be compiled.
    compileGlobs([`/${glob}`]);
    return true;
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_GLOB')) throw error;
    faults.push(`${quote(glob)} is no pattern: ${error.data.reason}`);
    return false;
  }
}

interface Group {
  readonly except: boolean;
  /** A set, because there may be thousands of names. */
  readonly exact: ReadonlySet<string>;
  readonly globs: GlobSet;
}

function compileRun({ except, exact, globs }: Run, platform: Platform): Group {
  const anchored = globs.map((glob) => `/${glob}`);
  return {
    except,
    exact: new Set(exact.map(nameKey({ platform }))),
    globs: compileGlobs(anchored, { platform }),
  };
}
