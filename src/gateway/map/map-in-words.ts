import { quote } from '../../base/quote.ts';
import type { PathMapping, MappingSource, PathMap } from './path-map.ts';

/** A row of the table that `rootward where --map` prints. */
export interface MapRow {
  readonly client: string;
  readonly server: string;
  readonly source: string;
}

const sources: Readonly<Record<MappingSource, string>> = {
  flag: '--map',
  container: 'the command of the container',
  devcontainer: 'the development container',
  wsl: 'the Windows subsystem for Linux',
};

/** The rows of the table, the first to match on top: longer paths before shorter ones. */
export function mapRows({ mappings }: PathMap): readonly MapRow[] {
  return mappings
    .toSorted((a, b) => b.client.path.length - a.client.path.length)
    .map(({ client, server, source }) => ({
      client: client.path,
      server: server.path,
      source: sources[source],
    }));
}

/** A sentence for each mapping that is not used. */
export function mapRefusals({ refused }: PathMap): readonly string[] {
  return refused.map(({ mapping, why }) => `Cannot map ${inWords(mapping)}: ${why}`);
}

function inWords({ client, server }: PathMapping): string {
  return `${quote(client.path)} to ${quote(server.path)}`;
}
