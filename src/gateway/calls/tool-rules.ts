import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import type { Decision } from '../../policy/decision.ts';

/** The operator's rules about the tools of a server. */
export interface ToolRules {
  /** Globs of tools that are never called. */
  readonly denyTool?: readonly string[];
  /** Globs of tools that a person has to agree to, each time. */
  readonly askTool?: readonly string[];
  /** Only tools that say that they change nothing. */
  readonly readOnly?: boolean;
}

/** The statements of a server about one of its tools. */
export interface ToolFacts {
  readonly name: string;
  /** Whether it says that it changes nothing; `undefined` if it says nothing. */
  readonly readOnlyHint?: boolean | undefined;
}

export interface ToolJudge {
  /** Whether the server must be asked for its tools before a call can be judged. */
  readonly needsHints: boolean;
  judge(tool: ToolFacts): Decision;
}

/**
 * Compiles the rules. In a glob `*` stands for any characters and `?` for one; letters count in either case, because
 * a rule too many is better than one too few. A denied tool stays denied even if a person would agree. `readOnlyHint` is the word of the
 * server: a server that lies about it is not stopped.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 * @example
 * ```ts
 * const { judge } = compileToolRules({ denyTool: ['delete_*'], askTool: ['write_*'] });
 * judge({ name: 'delete_file' }).verdict // → 'deny'
 * judge({ name: 'write_file' }).verdict // → 'ask'
 * judge({ name: 'read_file' }).verdict // → 'allow'
 * ```
 */
export function compileToolRules({ denyTool = [], askTool = [], readOnly = false }: ToolRules): ToolJudge {
  for (const glob of [...denyTool, ...askTool]) requirePlain(glob);
  return {
    needsHints: readOnly,
    judge({ name, readOnlyHint }) {
      const deny = denyTool.find((glob) => matchesName(glob, name));
      if (deny !== undefined)
        return { verdict: 'deny', rule: `deny-tool:${deny}`, reason: `the operator denies ${quote(deny)}` };
      if (readOnly && readOnlyHint !== true)
        return { verdict: 'deny', rule: 'read-only', reason: 'the server does not say that it only reads' };
      const ask = askTool.find((glob) => matchesName(glob, name));
      if (ask !== undefined)
        return { verdict: 'ask', rule: `ask-tool:${ask}`, reason: `the operator asks about ${quote(ask)}` };
      return { verdict: 'allow', rule: 'allow:tool', reason: 'no rule is against it' };
    },
  };
}

/** Refuses what means something in globs of paths, and would be a plain character here. */
function requirePlain(glob: string): void {
  if (!/[[\]{}()!\\]/.test(glob)) return;
  const reason = 'in names of tools only * and ? stand for other characters';
  throw new RootwardError('INVALID_POLICY', { where: quote(glob), reason });
}

/** Names of tools are no paths: a slash is a character like others. */
function matchesName(glob: string, name: string): boolean {
  const [wanted, text] = [glob.toLowerCase(), name.toLowerCase()];
  let [at, from] = [0, 0];
  /** After the last star: where the glob goes on, and where the text was then. */
  let star: { readonly at: number; from: number } | undefined;
  while (from < text.length) {
    if (wanted[at] === '*') {
      at += 1;
      star = { at, from };
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === text[from])) {
      at += 1;
      from += 1;
    } else if (star === undefined) {
      return false;
    } else {
      star.from += 1;
      ({ at, from } = star);
    }
  }
  return /^\**$/.test(wanted.slice(at));
}
