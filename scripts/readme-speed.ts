import { readFileSync } from 'node:fs';

/** One row of a run of `npm run bench`. */
interface MeasuredRow {
  readonly name: string;
  readonly against: string;
  readonly ours: number;
  readonly theirs: number;
}

/** The tables about speed, made of the last run alone. */
export function speedSection(read: (suite: string) => readonly MeasuredRow[] = readResults): string {
  const [serve, product, flat] = ['serve', 'product', 'flat'].map(read);
  return [
    stdioTable(serve ?? []),
    httpTable(product ?? []),
    costTable(serve ?? [], product ?? [], flat ?? []),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function readResults(suite: string): readonly MeasuredRow[] {
  const file = JSON.parse(readFileSync(`bench/results/${suite}.json`, 'utf8')) as {
    results: readonly MeasuredRow[];
  };
  return file.results;
}

const coldEnding = ': the first 60 calls';

/** Warm and cold, one line per tool of the reference server. */
function stdioTable(rows: readonly MeasuredRow[]): readonly string[] {
  const work = rows.filter(
    ({ name, against }) =>
      against === 'server-filesystem' && !/^(?:processor time|memory|from start)|: the first/.test(name),
  );
  return [
    '| over stdio | warm | the first 60 calls |',
    '| --- | --- | --- |',
    ...work.map((row) => {
      const cold = rows.find(({ name }) => name === `${row.name}${coldEnding}`);
      return `| ${marked(row.name)} | ${faster(row)} | ${cold === undefined ? '' : faster(cold)} |`;
    }),
  ];
}

const eras = ['2025', '2026'] as const;
const crowds = ['one client', '10 clients', '100 clients', '1000 clients'] as const;

/** Calls per second of the whole command, against a bare SDK server whose tool reads any file. */
function httpTable(rows: readonly MeasuredRow[]): readonly string[] {
  const cell = (era: string, crowd: string): string => {
    const row = rows.find(({ name }) => name === `read_text_file over HTTP, ${era}, ${crowd}`);
    return row === undefined ? '' : faster(row);
  };
  return [
    '| `read_text_file` over HTTP | with sessions (2025) | without (2026) |',
    '| --- | --- | --- |',
    ...crowds.map(
      (crowd) => `| ${crowd.replace('1000', '1,000')} | ${eras.map((era) => cell(era, crowd)).join(' | ')} |`,
    ),
  ];
}

/** Rows in which less is better. */
function costTable(...suites: readonly (readonly MeasuredRow[])[]): readonly string[] {
  const rows = suites.flat().filter(({ name }) => costs.has(name));
  return [
    '| cost | Rootward | beside it |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ name, against, ours, theirs }) =>
        `| ${marked(name)} | ${amount(name, ours)} | ${amount(name, theirs)} (${against}) |`,
    ),
  ];
}

const costs: ReadonlySet<string> = new Set([
  'from start to the first answer',
  'memory at rest',
  'search_text, 20,000 files',
  'read_text_file over HTTP with sessions on Redis, 100 clients',
  'read_text_file over HTTP beside 990 silent sessions',
  'read_text_file with 256 roots',
  'the first call with 256 roots',
  'read_text_file beside 20,000 files',
]);

function amount(name: string, count: number): string {
  if (name.startsWith('memory')) return `${Math.round(count / 1e6)} MB`;
  return count < 1e6 ? `${Math.round(count / 1e3)} µs` : `${Number((count / 1e6).toPrecision(2))} ms`;
}

function faster({ ours, theirs }: MeasuredRow): string {
  return `${(theirs / ours).toFixed(1)}×`;
}

/** The names of tools are code. */
function marked(name: string): string {
  return name.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '`$&`');
}
