import { clientEnv, initialize, remembered, requestMeta, roots } from './client-sources.ts';
import { argument, operator, pinned, switched } from './operator-sources.ts';
import { pwd, walkUp } from './process-sources.ts';
import type { RootSource } from './root-source.ts';
import type { SourceName } from './source-name.ts';

/** Every source by name; the order of the keys is the default order of the chain. */
export const allSources: { readonly [Name in SourceName]: RootSource } = {
  argument,
  pinned,
  switched,
  'request-meta': requestMeta,
  roots,
  remembered,
  initialize,
  'client-env': clientEnv,
  operator,
  'walk-up': walkUp,
  pwd,
};

/** In the default order of the chain. */
export const sourceNames: readonly SourceName[] = Object.keys(allSources) as SourceName[];
