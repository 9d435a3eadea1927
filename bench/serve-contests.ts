import { join } from 'node:path';
import { sample, type ServeTree } from './serve-tree.ts';
import type { ServeWire } from './serve-wire.ts';
import type { Rounds } from './time-pair.ts';

/** One kind of work that both servers do. */
export interface Contest {
  readonly name: string;
  /** How many times as fast ours has to be when it is warm. */
  readonly factor: number;
  readonly operation: (server: ServeWire) => Promise<string>;
  /** How many at a time; one by default. */
  readonly inFlight?: number;
  /** For work that takes long, and is not repeated until the server is warm. */
  readonly rounds?: Rounds;
  /** Whether the first calls of a new process are measured too. */
  readonly cold?: boolean;
  /** The two answer in different words, so that their texts are not compared. */
  readonly ownWords?: boolean;
}

/** Faster in everything; a little less in writing, because ours replaces a file in one step. */
const factors = { read: 1.3, write: 1.1 } as const;

/** A row for each tool of the reference server. */
export function contestsOf(tree: ServeTree): readonly Contest[] {
  return [...readContests(tree), ...writeContests(tree), ...treeContests(tree)];
}

function readContests({ top, shallow, deep, listed, outside }: ServeTree): readonly Contest[] {
  const factor = factors.read;
  const read = (path: string) => (server: ServeWire) => server.call('read_text_file', { path });
  return [
    { name: 'read_text_file', factor, operation: read(shallow), cold: true },
    { name: 'read_text_file, 16 in flight', factor, operation: read(shallow), inFlight: 16 },
    { name: 'read_text_file, ten directories deep', factor, operation: read(deep) },
    {
      name: 'read_multiple_files, 3 files',
      factor,
      operation: (server) => server.call('read_multiple_files', { paths: [shallow, deep, shallow] }),
      cold: true,
      ownWords: true,
    },
    {
      name: 'list_directory, 200 files',
      factor,
      operation: (server) => server.call('list_directory', { path: listed }),
      cold: true,
    },
    {
      name: 'list_directory_with_sizes, 200 files',
      factor,
      operation: (server) => server.call('list_directory_with_sizes', { path: listed }),
      cold: true,
      ownWords: true,
    },
    {
      name: 'get_file_info',
      factor,
      operation: (server) => server.call('get_file_info', { path: shallow }),
      cold: true,
      ownWords: true,
    },
    {
      name: 'list_allowed_directories',
      factor,
      operation: (server) => server.call('list_allowed_directories', {}),
      cold: true,
      ownWords: true,
    },
    {
      name: 'refusal of a path outside',
      factor,
      operation: (server) => server.refuse('read_text_file', { path: outside }),
      cold: true,
      ownWords: true,
    },
    {
      name: 'refusal of a path that does not exist',
      factor,
      operation: (server) => server.refuse('read_text_file', { path: join(top, 'none.ts') }),
      ownWords: true,
    },
  ];
}

function writeContests({ written }: ServeTree): readonly Contest[] {
  const factor = factors.write;
  const path = join(written, 'file.ts');
  // Each turns the line back into what the other one finds.
  const [one, two] = ['export const line = 1;', 'export const line = 2;'];
  const edit = (server: ServeWire, oldText: string, newText: string): Promise<string> =>
    server.call('edit_file', { path, edits: [{ oldText, newText }] });
  const [here, there] = [join(written, 'moved-1.ts'), join(written, 'moved-2.ts')];
  return [
    {
      name: 'write_file, in place of a file',
      factor,
      operation: (server) => server.call('write_file', { path, content: sample }),
      cold: true,
    },
    {
      name: 'edit_file, there and back',
      factor,
      async operation(server) {
        await edit(server, one, two);
        return edit(server, two, one);
      },
      cold: true,
      ownWords: true,
    },
    {
      name: 'create_directory, which exists',
      factor,
      operation: (server) => server.call('create_directory', { path: written }),
      cold: true,
      ownWords: true,
    },
    {
      name: 'write_file and move_file, there and back',
      factor,
      async operation(server) {
        await server.call('write_file', { path: here, content: sample });
        await server.call('move_file', { source: here, destination: there });
        return server.call('move_file', { source: there, destination: join(written, `gone-${next()}.ts`) });
      },
      ownWords: true,
    },
  ];
}

/** A name that no file has yet: neither server replaces a file by moving another one. */
function next(): string {
  return process.hrtime.bigint().toString(36);
}

/** These have more to do than one call of the others, and lead by more. */
function treeContests({ top, sources }: ServeTree): readonly Contest[] {
  return [
    {
      name: 'search_files, 20,000 files',
      factor: 15,
      operation: (server) => server.call('search_files', { path: top, pattern: '**/*-7.ts' }),
      rounds: { rounds: 5, milliseconds: 1 },
    },
    {
      name: 'directory_tree, 1,000 files',
      factor: 2,
      operation: (server) => server.call('directory_tree', { path: join(sources, 'package-3') }),
      rounds: { rounds: 41, milliseconds: 1 },
    },
  ];
}
