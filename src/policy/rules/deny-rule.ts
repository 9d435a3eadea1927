import type { Operation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { compileGlobs } from '../../path/glob.ts';
import type { Decision } from '../decision.ts';
import { looseKey } from '../../path/loose-key.ts';

/** A deny rule as data. */
export interface DenyRule {
  /** In the syntax of `compileGlobs`, relative to the root. */
  readonly glob: string;
  readonly operations: readonly Operation[];
  readonly reason: string;
  /** Globs of exceptions from this rule; other rules may still deny them. */
  readonly except?: readonly string[];
  /** Also covers the copies that editors and people leave beside a file: `.env~`, `#.env#`, `.env.bak`. */
  readonly copies?: boolean;
}

/** A rule that can be checked against one step: the path of a directory or file. */
export interface CompiledDenyRule {
  readonly operations: readonly Operation[];
  readonly decision: Decision;
  /** The required ending of a step, in loose form: a name (`.git`), or `*` and an extension (`*.pem`). */
  readonly ending: string | undefined;
  /** The required beginning of the last name of a step, in loose form. */
  readonly beginning: string | undefined;
  readonly copies: boolean;
  readonly matches: (step: PathStep) => boolean;
}

/** A path relative to the root, `/` between names. */
export interface PathStep {
  readonly path: string;
  /** The path by `looseKey`, or the path itself where names are known to be case-sensitive. */
  readonly loose: string;
}

/**
 * Compiles a rule. It is checked against each step of a path in turn, so that a denial covers everything
 * beneath; `docs/**` is therefore the same as `/docs`.
 *
 * @throws {RootwardError} `INVALID_GLOB`
 */
export function compileDenyRule(rule: DenyRule, rules: NameRules): CompiledDenyRule {
  const { glob, operations, reason, except = [], copies = false } = rule;
  compileGlobs([glob]);
  const step = asStep(glob);
  const covers = compileLoosely([step], rules);
  const spares = compileLoosely(except, rules);
  return {
    operations,
    decision: { verdict: 'deny', rule: `deny:${glob}`, reason },
    ending: endingOf(keyOf(rules)(step)),
    beginning: beginningOf(keyOf(rules)(step)),
    copies,
    matches: except.length === 0 ? covers : (asked) => covers(asked) && !spares(asked),
  };
}

/** Deny rules compare loosely unless the caller states that names are case-sensitive. */
export function keyOf({ caseSensitive = false }: NameRules): (text: string) => string {
  return caseSensitive ? asItIs : looseKey;
}

function asItIs(text: string): string {
  return text;
}

function asStep(glob: string): string {
  const above = glob.replace(/(?:\/\*\*)+\/?$/, '');
  if (above === glob || above === '') return glob;
  return above.startsWith('/') ? above : `/${above}`;
}

const exactly: NameRules = { platform: 'posix', caseSensitive: true };

/** Folding can break a class or a `?` (`[Z-a]`, `caf?`), so such a glob is also compared as written. */
function compileLoosely(globs: readonly string[], rules: NameRules): (step: PathStep) => boolean {
  const folded = compileGlobs(globs.map(keyOf(rules)), exactly);
  const fragile = globs.filter((glob) => /[?[]/.test(glob));
  if (fragile.length === 0) return ({ loose }) => folded.match(loose) !== undefined;
  const written = compileGlobs(fragile, exactly);
  return ({ path, loose }) => (folded.match(loose) ?? written.match(path)) !== undefined;
}

/** ASCII only: later characters cannot change how it folds. */
function beginningOf(glob: string): string | undefined {
  const name = glob.replace(/\/$/, '').split('/').at(-1) ?? '';
  return /^[^*?[\]{}\\\u0080-\uFFFF]+/.exec(name)?.[0];
}

function endingOf(glob: string): string | undefined {
  const name = glob.replace(/\/$/, '').split('/').at(-1) ?? '';
  if (!/[*?[\]{}\\]/.test(name)) return name;
  const [extension] = /\.[^.*?[\]{}\\]+$/.exec(name) ?? [];
  return extension && `*${extension}`;
}
