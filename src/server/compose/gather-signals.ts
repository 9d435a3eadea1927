import { basename, isAbsolute } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import type { Signals } from '../../workspace/sources/root-source.ts';
import type { Switched } from '../connection/connection-memory.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompositionInput } from './composition.ts';

/** Whose word is listened to. */
export interface SignalScope {
  readonly bound: BoundSwitch;
  /** The project that is found counts, because nobody named what may be reached. */
  readonly detected: boolean;
  /** Only the operator has a say. */
  readonly operatorOnly: boolean;
}

/** Puts together what may tell the project: what the client said, and what the process knows. */
export function gatherSignals(input: CompositionInput, settings: Settings, scope: SignalScope): Signals {
  const { argument } = input;
  const { ceiling, pinned } = settings;
  const { bound } = scope;
  return {
    ...wordsOfClient(input, scope),
    ...factsOfProcess(input, settings, scope),
    ...(ceiling && { ceiling }),
    ...(pinned !== undefined && { pinned }),
    ...(argument !== undefined && { argument }),
    ...(bound.kind === 'place' && { switched: bound.path }),
  };
}

/** Within what the operator named a client may choose; where only the operator has a say, it cannot name more. */
function wordsOfClient({ answer, remembered, client, meta }: CompositionInput, scope: SignalScope): Signals {
  if (scope.operatorOnly && scope.detected)
    return { roots: { state: 'unsupported' }, ...(client && { client }) };
  return {
    roots: answer,
    meta,
    ...(remembered.listed && { remembered: remembered.listed }),
    ...(remembered.initialize !== undefined && { initialize: remembered.initialize }),
    ...(client && { client }),
  };
}

/** Where the process of a remote server was started is nobody's business there, unless that is what counts. */
function factsOfProcess(
  { overHttp }: CompositionInput,
  { environment, cwd }: Settings,
  { detected }: SignalScope,
): Signals {
  if (overHttp && !detected) return {};
  return { environment, ...(cwd !== undefined && { cwd }) };
}

/**
 * What a switch means now. `name`: nothing may be reached, so it is no more than a name. `ended`: the root it
 * named is gone, or never was.
 */
export type BoundSwitch =
  | { readonly kind: 'none' }
  | { readonly kind: 'name'; readonly name: string }
  /** `root`: a person granted it. */
  | { readonly kind: 'place'; readonly path: string; readonly root?: Root }
  | { readonly kind: 'ended' };

/** Reads a switch against what may be reached. It never widens that, unless a person said so. */
export function bindSwitch({ text, consented = false }: Switched, known: readonly Root[]): BoundSwitch {
  if (isBareName(text)) return bindName(text, known);
  const { root } = parseRoot({ uri: text });
  if (root === undefined) return { kind: 'ended' };
  const index = createRootIndex(
    known.map((one) => [one.path, one] as const),
    { platform: hostPlatform },
  );
  if (index.place(root.path) !== undefined) return { kind: 'place', path: root.path };
  return consented ? { kind: 'place', path: root.path, root } : { kind: 'ended' };
}

/** One name, and neither a path nor a URI. */
export function isBareName(text: string): boolean {
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !/[\\/]/.test(text) &&
    !isFileUri(text) &&
    !isAbsolute(text)
  );
}

function bindName(name: string, known: readonly Root[]): BoundSwitch {
  if (known.length === 0) return { kind: 'name', name };
  const root = known.find((one) => one.name === name) ?? known.find(({ path }) => basename(path) === name);
  return root === undefined ? { kind: 'ended' } : { kind: 'place', path: root.path };
}
