import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The sources that ran, each with its functions. */
export interface Walk {
  readonly files: readonly WalkedFile[];
  /** How many functions with a name ran. */
  readonly functions: number;
}

export interface WalkedFile {
  /** `src/access.ts` */
  readonly file: string;
  readonly functions: readonly string[];
}

/** Where `npm run walk` and the tests compile the sources to, module by module. */
const compiled = pathToFileURL(resolve('.build/src')).href;

/** Reads the last report that V8 wrote into a directory. Each one counts from the report before it. */
export function readWalk(directory: string): Walk {
  const last = readdirSync(directory).toSorted(byNumber).at(-1);
  if (last === undefined) throw new Error('No coverage was written');
  const { result } = JSON.parse(readFileSync(join(directory, last), 'utf8')) as Report;
  const files = result
    .filter(({ url }) => url.startsWith(`${compiled}/`))
    .map(walkedFile)
    .filter((walked) => walked !== undefined)
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
  return { files, functions: files.reduce((sum, { functions }) => sum + functions.length, 0) };
}

interface Report {
  readonly result: readonly Script[];
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** `coverage-<process>-<time>-<number>.json` */
function byNumber(one: string, other: string): number {
  return numberOf(one) - numberOf(other);
}

function numberOf(name: string): number {
  return Number(/-(\d+)\.json$/.exec(name)?.[1]);
}

function walkedFile({ url, functions }: Script): WalkedFile | undefined {
  const ran = functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0).filter(isNotTheModule);
  if (ran.length === 0) return undefined;
  const names = ran.map(({ functionName }) => functionName).filter((name) => /^[^<]/.test(name));
  return { file: `src${url.slice(compiled.length)}`.replace(/js$/, 'ts'), functions: names };
}

/** The top of a module is a function as well, which begins where the file does. */
function isNotTheModule({ functionName, ranges }: Script['functions'][number]): boolean {
  return functionName !== '' || ranges[0]?.startOffset !== 0;
}
