import { type AuditSink, createMemorySink } from '../../audit/sink.ts';
import { isObject } from '../../base/fields.ts';
import { quote } from '../../base/quote.ts';
import { longestTimer } from '../../base/wait.ts';
import { RootwardError } from '../../errors.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { type MergeMode, mergeModes } from '../../policy/merge.ts';
import { parsePolicy, type Policy } from '../../policy/rules/policy.ts';
import type { Asking } from '../../policy/settle.ts';
import { type Anchors, createAnchors } from '../../workspace/anchors.ts';
import type { ResolveOptions } from '../../workspace/chain/chain-context.ts';
import { chainPresets } from '../../workspace/chain/chain-presets.ts';
import { parseMarker } from '../../workspace/project/find-markers.ts';
import type { SourceName } from '../../workspace/sources/all-sources.ts';
import type { WorkspaceOptions } from '../../workspace/workspace.ts';
import type { WorkspaceKeeper } from '../compose/workspace-keeper.ts';
import type { AttachOptions, OwnToolName } from './attach-options.ts';
import { createOperator, type Operator } from './operator.ts';
import { createRealPlaces, type RealPlaces } from './real-places.ts';
import type { Trace } from './trace-event.ts';

/** The options, read once for all servers of a process. Nothing after this reads the process. */
export interface Settings {
  readonly ceiling: readonly Root[] | undefined;
  /** Roots that are hidden from this server, except for parts that an inner root of the ceiling shows. */
  readonly refused: readonly Root[];
  /** Paths that are never reached. */
  readonly forbidden: readonly string[];
  /** Paths that are never changed. */
  readonly fixed: readonly string[];
  readonly realPlaces: RealPlaces;
  /** The places of all roots so far, for as long as the server runs. */
  readonly anchors: Anchors;
  readonly pinned: string | undefined;
  readonly merge: MergeMode | undefined;
  readonly policy: Policy;
  /**
   * Revision of the operator's settings that ceiling and policy come from; `undefined` if they come from the
   * options.
   */
  readonly operatorRevision: number | undefined;
  readonly operator: Operator | undefined;
  readonly remedy: string | undefined;
  readonly overHttp: boolean;
  readonly audit: AuditSink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly resolve: ResolveOptions;
  readonly boundary: WorkspaceOptions['boundary'];
  readonly timeout: number;
  readonly freshness: number;
  readonly reuse: number;
  readonly tools: readonly OwnToolName[];
  readonly argument: boolean;
  readonly inputs: NonNullable<AttachOptions['inputs']>;
  readonly choices: AttachOptions['choices'];
  readonly askSwitch: AttachOptions['askSwitch'];
  readonly memory: AttachOptions['memory'];
  readonly asking: Asking;
  readonly trace: Trace;
  readonly keeper: WorkspaceKeeper | undefined;
  readonly caught: AttachOptions['caught'];
  readonly eager: boolean;
  readonly chdir: boolean;
  readonly preflight: (method: string, name: string | undefined) => boolean;
}

/** Settings that one server of a process may override. */
export type ServerSettings = Partial<Pick<Settings, 'memory' | 'overHttp' | 'trace'>>;

/**
 * Reads the options strictly: an invalid directory or policy refuses to start.
 *
 * @throws {RootwardError} `INVALID_PATH`, `INVALID_POLICY`, `INVALID_MARKER`, `INVALID_CONFIG`
 */
export function readSettings(options: AttachOptions): Settings {
  refuseMistakes(options);
  const { environment = process.env, cwd = process.cwd(), timeout = 3_000, freshness = 5_000 } = options;
  return {
    ceiling: readCeiling(options),
    refused: [],
    forbidden: (options.forbidden ?? []).map((path) => readDirectory(path).path),
    fixed: (options.fixed ?? []).map((path) => readDirectory(path).path),
    realPlaces: createRealPlaces(),
    anchors: options.keeper?.anchors ?? createAnchors(),
    pinned: options.project,
    merge: options.merge,
    overHttp: options.overHttp ?? false,
    policy: isPolicy(options.policy) ? options.policy : parsePolicy(options.policy),
    operatorRevision: undefined,
    operator: options.operator && createOperator(options.operator),
    remedy: options.remedy,
    audit: options.audit ?? createMemorySink(),
    environment,
    cwd,
    resolve: resolveOptionsOf(options),
    boundary: options.boundary,
    timeout,
    freshness,
    reuse: options.reuse ?? 0,
    tools: readTools(options.tools ?? false),
    argument: options.argument ?? false,
    inputs: options.inputs ?? (() => undefined),
    choices: options.choices,
    askSwitch: options.askSwitch,
    memory: options.memory,
    asking: options,
    trace: options.trace ?? (() => undefined),
    keeper: options.keeper,
    caught: options.caught,
    eager: options.eager ?? false,
    chdir: options.chdir ?? false,
    preflight: readPreflight(options.preflight ?? false),
  };
}

/** Checks the types at run time, for authors without a compiler. */
function refuseMistakes({ merge, preset, tools, ...options }: AttachOptions): void {
  refuseUnknown('merge', merge, mergeModes);
  refuseUnknown('preset', preset, Object.keys(chainPresets));
  if (isObject(tools)) for (const tool of tools) refuseUnknown('tools', tool, ownToolNames);
  for (const name of ['timeout', 'freshness', 'reuse'] as const) refuseDuration(name, options[name]);
}

function refuseUnknown(where: string, word: string | undefined, words: readonly string[]): void {
  if (word === undefined || words.includes(word)) return;
  throw new RootwardError('INVALID_CONFIG', {
    where,
    reason: `${quote(word)} is none of ${words.join(', ')}`,
  });
}

function refuseDuration(where: string, milliseconds: number | undefined): void {
  if (milliseconds === undefined || (milliseconds >= 0 && milliseconds <= longestTimer)) return;
  throw new RootwardError('INVALID_CONFIG', {
    where,
    reason: `${milliseconds} is not a number of milliseconds`,
  });
}

/** A pinned project also counts as the ceiling if no other was named. */
function readCeiling({ ceiling, project }: AttachOptions): readonly Root[] | undefined {
  const pinned = project === undefined ? undefined : [readDirectory(project)];
  return ceiling?.map(readDirectory) ?? pinned;
}

function readDirectory(path: string): Root {
  const { root, issues } = parseRoot({ uri: path });
  if (root === undefined) throw new RootwardError('INVALID_PATH', { path, reason: reasonOf(issues) });
  return root;
}

function reasonOf(issues: readonly { readonly message: string }[]): string {
  return issues.at(-1)?.message.replace(/^.*?": /s, '') ?? 'it cannot be read';
}

function isPolicy(policy: AttachOptions['policy']): policy is Policy {
  return policy !== undefined && 'general' in policy;
}

function resolveOptionsOf(options: AttachOptions): ResolveOptions {
  const sources = sourcesOf(options);
  for (const marker of options.markers ?? []) parseMarker(marker);
  const { preset, markers, levels, profiles, needsOne, around, disk } = options;
  return {
    ...(preset && { preset }),
    ...(sources && { sources }),
    ...(markers && { markers }),
    ...(levels !== undefined && { levels }),
    ...(profiles && { profiles }),
    ...(needsOne !== undefined && { needsOne }),
    ...(around && { around }),
    ...(disk && { disk }),
  };
}

/**
 * Offering `switch_project`, or letting a person choose, enables the switch even with a preset that omits it; so
 * does reading the argument for a preset without arguments.
 */
function sourcesOf({
  preset = 'default',
  sources,
  tools = false,
  needsOne = false,
  argument = false,
}: AttachOptions): readonly SourceName[] | undefined {
  const chain = sources ?? chainPresets[preset].sources;
  const switches = needsOne || readTools(tools).includes('switch_project');
  const wanted: readonly SourceName[] = [
    ...(argument ? (['argument'] as const) : []),
    ...(switches ? (['switched'] as const) : []),
  ];
  const added = wanted.filter((source) => !chain.includes(source));
  if (added.length === 0) return sources;
  // An argument of one call goes before everything that lasts.
  const first = chain.filter((source) => source === 'argument');
  return [...first, ...added, ...chain.filter((source) => source !== 'argument')];
}

export const ownToolNames: readonly OwnToolName[] = ['list_roots', 'switch_project', 'why'];

function readTools(tools: NonNullable<AttachOptions['tools']>): readonly OwnToolName[] {
  if (typeof tools !== 'boolean') return tools;
  return tools ? ownToolNames : [];
}

function readPreflight(preflight: NonNullable<AttachOptions['preflight']>): Settings['preflight'] {
  if (typeof preflight === 'function') return preflight;
  if (typeof preflight === 'boolean') return () => preflight;
  const names = new Set(preflight);
  return (_method, name) => name !== undefined && names.has(name);
}
