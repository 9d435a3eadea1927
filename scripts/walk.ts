import { parseArgs } from 'node:util';
import type { Walk } from './coverage.ts';
import { mostFiles, walks } from './walks.ts';

/** Prints how many sources and functions a call crosses; `--json` names them, `--check` fails where it is too many. */
const { values } = parseArgs({ options: { json: { type: 'boolean' }, check: { type: 'boolean' } } });
const taken = new Map<string, Walk>();
for (const [name, walk] of Object.entries(walks)) taken.set(name, await walk());

if (values.json === true) console.log(JSON.stringify(Object.fromEntries(taken), undefined, 2));
else console.table(tableOf(taken));

for (const [name, most] of Object.entries(values.check === true ? mostFiles : {})) {
  const count = taken.get(name)?.files.length ?? 0;
  if (count <= most) continue;
  console.error(`${name}: ${count} files, at most ${most}`);
  process.exitCode = 1;
}

/** One column per walk, one row per room. */
function tableOf(all: ReadonlyMap<string, Walk>): Record<string, Record<string, number>> {
  const rowOf = (count: (walk: Walk) => number): Record<string, number> =>
    Object.fromEntries(Array.from(all, ([name, walk]) => [name, count(walk)]));
  const rooms = new Set([...all.values()].flatMap(({ files }) => files.map(({ file }) => roomOf(file))));
  return {
    ...Object.fromEntries(
      Array.from(rooms, (room) => [
        room,
        rowOf(({ files }) => files.filter(({ file }) => roomOf(file) === room).length),
      ]),
    ),
    files: rowOf(({ files }) => files.length),
    functions: rowOf(({ functions }) => functions),
  };
}

function roomOf(file: string): string {
  return /^src\/([^/.]+)/.exec(file)?.[1] ?? '';
}
