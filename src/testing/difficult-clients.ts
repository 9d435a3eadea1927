import type { Ask, DifficultClient, Move } from './difficult-client.ts';

/** The name of a difficult client. */
export type DifficultClientName =
  | 'cooperative'
  | 'oldest'
  | 'undeclared'
  | 'silent'
  | 'late'
  | 'methodNotFound'
  | 'invalidRequest'
  | 'internalError'
  | 'empty'
  | 'rootsMissing'
  | 'rootsNull'
  | 'nullResult'
  | 'notFiles'
  | 'nullName'
  | 'oddNames'
  | 'oddUris'
  | 'extraFields'
  | 'duplicates'
  | 'tenThousand'
  | 'storm'
  | 'changesWhileAsked'
  | 'neverStill'
  | 'asksMeanwhile'
  | 'answersTwice'
  | 'wrongId'
  | 'revokes'
  | 'failsAfterChange'
  | 'vanishes'
  | 'initializeOnly'
  | 'modernCooperative'
  | 'modernUndeclared'
  | 'modernSilent'
  | 'modernForgetful'
  | 'modernGarbage'
  | 'modernWrapped'
  | 'modernRefuses'
  | 'modernNotFiles'
  | 'modernTenThousand'
  | 'modernUnasked'
  | 'modernChanging'
  | 'modernNotifies';

const declared = (): Readonly<Record<string, unknown>> => ({ roots: { listChanged: true } });
const changed: Move = {
  move: 'send',
  message: { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
};
const answer = (result: unknown): readonly Move[] => [{ move: 'answer', result }];
const list = (...roots: readonly unknown[]): readonly Move[] => answer({ roots });
const refuse = (code: number, message: string, data?: unknown): readonly Move[] => [
  { move: 'refuse', code, message, ...(data !== undefined && { data }) },
];

/** A client of 2025-11-25 that declares roots. */
function older(about: string, whenAsked: DifficultClient['whenAsked']): DifficultClient {
  return { about, revision: '2025-11-25', capabilities: declared, whenAsked };
}

/** A client of 2026-07-28 that declares roots with each request. */
function modern(about: string, whenAsked: DifficultClient['whenAsked']): DifficultClient {
  return { about, revision: '2026-07-28', capabilities: declared, whenAsked };
}

const nowhere = (length: number): readonly unknown[] =>
  Array.from({ length }, (_, index) => ({ uri: `file:///nowhere/project-${index}` }));
const lists = ({ roots }: Ask): readonly Move[] => list(...roots);
const afterFirst =
  (then: readonly Move[]) =>
  (ask: Ask): readonly Move[] =>
    ask.number === 1 ? lists(ask) : then;
const changesBeforeSecondCall = (call: number): readonly Move[] => (call === 2 ? [changed] : []);

/**
 * Clients that a server meets or should be ready to meet. Compare the others with `cooperative` and
 * `modernCooperative`.
 *
 * @example
 * ```ts
 * import { difficultClients } from 'rootward/testing';
 *
 * difficultClients.silent.about; // → 'declares roots and never answers'
 * difficultClients.silent.whenAsked({ number: 1, roots: [], patience: 3000 }); // → []
 * ```
 */
export const difficultClients: { readonly [Name in DifficultClientName]: DifficultClient } = {
  cooperative: older('answers at once', lists),
  oldest: { ...older('speaks the first revision', lists), revision: '2024-11-05' },
  undeclared: {
    ...older('declares nothing, and would answer', lists),
    capabilities: () => ({}),
  },
  silent: older('declares roots and never answers', () => []),
  late: older('answers after the server has given up', ({ roots, patience }) => [
    { move: 'wait', milliseconds: patience * 1.2 },
    ...list(...roots),
  ]),
  methodNotFound: older('declares roots and does not know the method', () =>
    refuse(-32601, 'Method not found'),
  ),
  invalidRequest: older('declares roots and calls the request invalid', () =>
    refuse(-32600, 'Invalid Request'),
  ),
  internalError: older('declares roots and fails', () =>
    refuse(-32603, 'Internal error', { stack: 'at secret (/home/me/client.js:1:1)' }),
  ),
  empty: older('has no roots', () => list()),
  rootsMissing: older('answers without a list', () => answer({})),
  rootsNull: older('answers with null for a list', () => answer({ roots: null })),
  nullResult: older('answers with null for a result', () => [
    { move: 'send', message: { jsonrpc: '2.0', id: '$id', result: null } },
  ]),
  notFiles: older('lists URIs that are not files, and one that is', ({ roots }) =>
    list(
      { uri: 'https://example.com/app' },
      { uri: 'untitled:1' },
      { uri: 'vscode-remote://host/app' },
      { uri: '' },
      { uri: 5 },
      { uri: null },
      null,
      'file:///not-an-object',
      ...roots,
    ),
  ),
  nullName: older('names its roots null', ({ roots }) =>
    list(...roots.map((root) => ({ ...root, name: null }))),
  ),
  oddNames: older('gives its roots names that lie', ({ roots }) =>
    list(...roots.map((root, index) => ({ ...root, name: oddNames[index % oddNames.length] }))),
  ),
  oddUris: older('lists URIs that look like files, and one that is', ({ roots }) =>
    list(
      { uri: 'file://' },
      { uri: 'file:///%zz' },
      { uri: 'file://host/share' },
      { uri: 'file:///tmp/..%2f..%2fetc' },
      { uri: 'file:///tmp?x#y' },
      { uri: 'file:///${workspaceFolder}' },
      ...roots,
    ),
  ),
  extraFields: older('adds unknown fields', ({ roots }) =>
    answer({
      roots: roots.map((root) => ({ ...root, _meta: { a: 1 }, path: '/etc', kind: 'file' })),
      more: [],
    }),
  ),
  duplicates: older('lists each root three times', ({ roots }) =>
    list(...roots, ...roots, ...roots.map(({ uri }) => ({ uri: `${uri}/` }))),
  ),
  tenThousand: older('lists ten thousand roots', ({ roots }) => list(...roots, ...nowhere(10_000))),
  storm: {
    ...older('says a thousand times that its roots changed, before each call', lists),
    beforeCall: () => [{ ...changed, times: 1_000 }],
  },
  changesWhileAsked: older('changes its roots while it is asked for them', ({ number, roots }) =>
    number === 1 ? [changed, ...list({ uri: 'file:///nowhere/before' })] : list(...roots),
  ),
  neverStill: older('changes its roots each time that it is asked', ({ roots }) => [
    changed,
    ...list(...roots),
  ]),
  asksMeanwhile: older('has a request of its own before it answers', ({ roots }) => [
    { move: 'send', message: { jsonrpc: '2.0', id: 'meanwhile', method: 'tools/list' } },
    ...list(...roots),
  ]),
  answersTwice: older('answers twice, differently', ({ roots }) => [
    ...list(...roots),
    ...list({ uri: 'file:///nowhere/twice' }),
  ]),
  wrongId: older('answers a question that was not asked', () => [
    {
      move: 'send',
      message: { jsonrpc: '2.0', id: 'nobody', result: { roots: [{ uri: 'file:///nowhere' }] } },
    },
  ]),
  revokes: { ...older('takes its roots back', afterFirst(list())), beforeCall: changesBeforeSecondCall },
  failsAfterChange: {
    ...older('changes its roots and does not say to what', afterFirst([])),
    beforeCall: changesBeforeSecondCall,
  },
  vanishes: older('hangs up when it is asked', () => [{ move: 'close' }]),
  initializeOnly: {
    ...older('declares nothing, and names its folders when it introduces itself', () => []),
    capabilities: () => ({}),
    initialize: (roots) => ({ workspaceFolders: roots, rootUri: roots[0]?.uri }),
  },
  modernCooperative: modern('answers at once, in 2026-07-28', lists),
  modernUndeclared: {
    ...modern('declares nothing, and would answer, in 2026-07-28', lists),
    capabilities: () => ({}),
  },
  modernSilent: modern('never sends the call again', () => []),
  modernForgetful: modern('sends the call again without an answer', () => [{ move: 'forget' }]),
  modernGarbage: modern('answers something else', () => answer({ nope: 1 })),
  modernWrapped: modern('answers with the whole message', ({ roots }) =>
    answer({ method: 'roots/list', result: { roots } }),
  ),
  modernRefuses: modern('answers with an error', () => refuse(-32601, 'Method not found')),
  modernNotFiles: modern('lists URIs that are not files, and one that is, in 2026-07-28', ({ roots }) =>
    list(
      { uri: 'https://example.com/app' },
      { uri: 5 },
      null,
      ...roots.map((root) => ({ ...root, name: null })),
    ),
  ),
  modernTenThousand: modern('lists ten thousand roots, in 2026-07-28', ({ roots }) =>
    list(...roots, ...nowhere(10_000)),
  ),
  modernUnasked: {
    ...modern('answers what was not asked', lists),
    withCall: () => ({ inputResponses: { roots: { roots: [{ uri: 'file:///etc' }] } } }),
  },
  modernChanging: {
    ...modern('declares roots with every second request', lists),
    capabilities: (request) => (request % 2 === 0 ? {} : declared()),
  },
  modernNotifies: {
    ...modern('sends a notification that its revision does not have', lists),
    beforeCall: () => [{ ...changed, times: 10 }],
  },
};

const oddNames = ['a\u0000b', 'line\nbreak', '\u202Ecod.exe', '<script>alert(1)</script>', '🦊', ''] as const;
