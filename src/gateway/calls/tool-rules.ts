import { quote } from '../../base/quote.ts';
import { compileGlobs } from '../../path/glob.ts';
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
 * Compiles the rules. A denied tool stays denied even if a person would agree. `readOnlyHint` is the word of the
 * server: a server that lies about it is not stopped.
 *
 * @throws {RootwardError} `INVALID_GLOB`
 * @example
 * ```ts
 * const { judge } = compileToolRules({ denyTool: ['delete_*'], askTool: ['write_*'] });
 * judge({ name: 'delete_file' }).verdict // → 'deny'
 * judge({ name: 'write_file' }).verdict // → 'ask'
 * judge({ name: 'read_file' }).verdict // → 'allow'
 * ```
 */
export function compileToolRules({ denyTool = [], askTool = [], readOnly = false }: ToolRules): ToolJudge {
  const denied = compileGlobs(denyTool);
  const asked = compileGlobs(askTool);
  return {
    needsHints: readOnly,
    judge({ name, readOnlyHint }) {
      const deny = denied.match(name);
      if (deny !== undefined)
        return { verdict: 'deny', rule: `deny-tool:${deny}`, reason: `the operator denies ${quote(deny)}` };
      if (readOnly && readOnlyHint !== true)
        return { verdict: 'deny', rule: 'read-only', reason: 'the server does not say that it only reads' };
      const ask = asked.match(name);
      if (ask !== undefined)
        return { verdict: 'ask', rule: `ask-tool:${ask}`, reason: `the operator asks about ${quote(ask)}` };
      return { verdict: 'allow', rule: 'allow:tool', reason: 'no rule is against it' };
    },
  };
}
