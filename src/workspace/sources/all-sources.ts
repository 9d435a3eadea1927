import type { RootSource } from './root-source.ts';
import type { SourceName } from './source-name.ts';
import { argument } from './operator-sources.ts';
import { clientEnv } from './client-env.ts';
import { initialize } from './initialize.ts';
import { operator } from './operator.ts';
import { pinned } from './pinned.ts';
import { pwd } from './pwd.ts';
import { remembered } from './remembered.ts';
import { requestMeta } from './client-sources.ts';
import { roots } from './roots.ts';
import { switched } from './switched.ts';
import { walkUp } from './process-sources.ts';

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
