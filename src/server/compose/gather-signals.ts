import { basename, isAbsolute } from 'node:path';
import { isFileUri } from '../../path/file-uri.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import type { Signals } from '../../workspace/sources/root-source.ts';
import type { Switched } from '../connection/connection-memory.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompositionInput } from './composition.ts';

/** Decides which signals count. */
export interface SignalScope {
  readonly bound: BoundSwitch;
  /** The found project counts, because no roots were named. */
  readonly detected: boolean;
  /** Only the operator decides. */
  readonly operatorOnly: boolean;
}

/** Collects the signals of the client and of the process. */
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

/**
 * The client's signals. It may choose within the operator's directories; if only the operator decides, it cannot
 * name more.
 */
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

/** The process's signals. A remote client must not learn where the server was started, unless that is the project. */
function factsOfProcess(
  { overHttp }: CompositionInput,
  { environment, cwd }: Settings,
  { detected }: SignalScope,
): Signals {
  if (overHttp && !detected) return {};
  return { environment, ...(cwd !== undefined && { cwd }) };
}

/**
 * The present meaning of a remembered switch. `name`: nothing can be reached, so it is just a name. `ended`: its
 * root is gone or never existed.
 */
export type BoundSwitch =
  | { readonly kind: 'none' }
  | { readonly kind: 'name'; readonly name: string }
  /** `root`: a person granted it. */
  | { readonly kind: 'place'; readonly path: string; readonly root?: Root }
  | { readonly kind: 'ended' };

/** Reads a switch against the roots that can be reached. It widens them only with a person's consent. */
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

/** Whether the text is a single name, neither a path nor a URI. */
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
