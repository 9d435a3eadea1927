import { chosenSources } from './chosen-sources.ts';
import { clientSources } from './client-sources.ts';
import { processSources } from './process-sources.ts';
import type { RootSource } from './root-source.ts';

/** The name of a source of candidates. */
export type SourceName =
  | keyof typeof chosenSources
  | keyof typeof clientSources
  | keyof typeof processSources;

const table: { readonly [Name in SourceName]: RootSource } = {
  ...chosenSources,
  ...clientSources,
  ...processSources,
};

/** In the default order of the chain, which is the order of the tables. */
export const sourceNames: readonly SourceName[] = Object.keys(table) as SourceName[];

export interface NamedSource extends RootSource {
  readonly name: SourceName;
}

/** Every source by name. */
export const allSources: { readonly [Name in SourceName]: NamedSource } = Object.fromEntries(
  sourceNames.map((name) => [name, { name, ...table[name] }]),
) as Record<SourceName, NamedSource>;
