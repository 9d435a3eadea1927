import { fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import { isFileUri } from '../../path/file-uri.ts';
import type { Decision } from '../../policy/decision.ts';
import { replaceField, valueIn, type WireFrame } from '../relay/wire-frame.ts';
import type { GatewayRoots } from '../roots/gateway-roots.ts';
import { compileToolRules, type ToolFacts, type ToolJudge, type ToolRules } from './tool-rules.ts';

/** Asks a person about a call of a tool; `undefined` if there is no way to ask. */
export type AskAboutTool = (tool: string, signal: AbortSignal) => Promise<boolean | undefined>;

export interface GateParts {
  readonly rules: ToolRules;
  readonly roots: Pick<GatewayRoots, 'check'>;
  /** One page of the server's tools. */
  readonly listTools: (cursor: string | undefined) => Promise<unknown>;
  readonly ask: AskAboutTool;
}

/** Decides which calls of the client reach the server. */
export class CallGate {
  readonly #parts: GateParts;
  readonly #judge: ToolJudge;
  readonly #hides: boolean;
  /** The tools of the server by name, once they are known. */
  #tools: Promise<ReadonlyMap<string, ToolFacts>> | undefined;

  /** @throws {RootwardError} `INVALID_POLICY` */
  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#judge = compileToolRules(parts.rules);
    const { denyTool = [], readOnly = false } = parts.rules;
    this.#hides = readOnly || denyTool.length > 0;
  }

  /** The decision about a request; `undefined` if there is nothing to decide. */
  decide(frame: WireFrame, signal: AbortSignal): Decision | Promise<Decision> | undefined {
    if (frame.method === 'tools/call') return this.#decideTool(frame, signal);
    if (frame.method !== 'resources/read' && frame.method !== 'resources/subscribe') return undefined;
    return this.#decideResource(valueIn(frame, 'params', 'uri'));
  }

  /** The server says that its tools have changed. */
  forgetTools(): void {
    this.#tools = undefined;
  }

  /** Leaves the tools out of a list that would be refused anyway, so that no model tries them. */
  shownTools(answer: WireFrame): Buffer {
    const result = this.#hides ? fieldsOf(valueIn(answer, 'result')) : {};
    const { tools } = result;
    if (!Array.isArray(tools)) return answer.bytes;
    const shown = tools.filter((tool: unknown) => this.#judge.judge(factsOf(tool)).verdict !== 'deny');
    if (shown.length === tools.length) return answer.bytes;
    return replaceField(answer, 'result', { ...result, tools: shown });
  }

  #decideTool(frame: WireFrame, signal: AbortSignal): Decision | Promise<Decision> {
    const name = toolIn(frame);
    if (name === undefined || name.length > longestName) return unnamed;
    if (this.#judge.needsHints) return this.#decideByHints(name, signal);
    return this.#settle(name, this.#judge.judge({ name }), signal);
  }

  async #decideByHints(name: string, signal: AbortSignal): Promise<Decision> {
    this.#tools ??= this.#readTools();
    const known = await bounded(this.#tools, { patience, signal }).catch(() => undefined);
    const tools = known !== undefined && 'value' in known ? known.value : undefined;
    if (tools === undefined) this.#tools = undefined;
    return this.#settle(name, this.#judge.judge(tools?.get(name) ?? { name }), signal);
  }

  #settle(name: string, decision: Decision, signal: AbortSignal): Decision | Promise<Decision> {
    return decision.verdict === 'ask' ? this.#askPerson(name, decision, signal) : decision;
  }

  async #askPerson(name: string, { rule, reason }: Decision, signal: AbortSignal): Promise<Decision> {
    const answer = await this.#parts.ask(name, signal).catch(() => false);
    if (answer === undefined)
      return { verdict: 'deny', rule, reason: `${reason}, and no person can be asked`, asked: false };
    return answer
      ? { verdict: 'allow', rule: `${rule}:yes`, reason: 'a person said yes' }
      : { verdict: 'deny', rule: `${rule}:no`, reason: 'a person was asked and did not say yes' };
  }

  /** A file is judged, whichever way it is written; another kind of resource is the server's own. */
  #decideResource(uri: unknown): Promise<Decision> | Decision | undefined {
    if (typeof uri !== 'string' || dropped.test(uri)) return unreadable;
    return isFileUri(uri) || !scheme.test(uri) ? this.#decidePlace(uri) : undefined;
  }

  async #decidePlace(uri: string): Promise<Decision> {
    const { allowed, rule, reason } = await this.#parts.roots.check(uri);
    return { verdict: allowed ? 'allow' : 'deny', rule, reason };
  }

  async #readTools(): Promise<ReadonlyMap<string, ToolFacts>> {
    const found = new Map<string, ToolFacts>();
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const { tools, nextCursor } = fieldsOf(await this.#parts.listTools(cursor));
      for (const tool of Array.isArray(tools) ? tools.map(factsOf) : []) found.set(tool.name, tool);
      if (typeof nextCursor !== 'string') break;
      cursor = nextCursor;
    }
    return found;
  }
}

const mostPages = 100;

/** Milliseconds that a server has to list its tools; after that a call that depends on the list is refused. */
const patience = 5_000;

/** Characters of the longest name of a tool. */
const longestName = 1_024;

const unnamed: Decision = { verdict: 'deny', rule: 'no-tool', reason: 'it names no tool' };
const unreadable: Decision = { verdict: 'deny', rule: 'unreadable-uri', reason: 'its URI cannot be judged' };

const scheme = /^[a-z][a-z0-9+.-]*:/i;

/** Characters that readers of URIs drop: what is left may be another URI. */
// oxlint-disable-next-line no-control-regex -- They are meant.
const dropped = /^[\0-\x20]|[\t\n\r]|[\0-\x20]$/;

/** The tool that a request calls; `undefined` if it names none. */
export function toolIn(frame: WireFrame): string | undefined {
  const name = valueIn(frame, 'params', 'name');
  return typeof name === 'string' ? name : undefined;
}

function factsOf(tool: unknown): ToolFacts {
  const { name, annotations } = fieldsOf(tool);
  const { readOnlyHint } = fieldsOf(annotations);
  return { name: String(name), readOnlyHint: readOnlyHint === true };
}
