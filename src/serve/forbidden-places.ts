import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quote } from '../base/quote.ts';
import { lookAt } from '../boundary/look/look-at.ts';
import { findRealPlace } from '../boundary/look/real-place.ts';
import { findDirectories, openOwnDirectory } from '../config/own-directory.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import { parseRoots } from '../path/root.ts';
import { ownStoreFile } from './settings/own-store-file.ts';
import type { CliContext } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

type OwnFileSettings = Pick<ServeSettings, 'ownFiles'>;

/**
 * The places that no client reaches whatever the roots are: Rootward's own directories and the files named on the
 * command line. A client that could write there could grant itself anything at the next start; one that could read
 * there would learn every root and every token.
 */
export function forbiddenPlaces(context: CliContext, { ownFiles }: OwnFileSettings): readonly string[] {
  // The store file may be a link that leads elsewhere.
  return [...ownDirectories(context), ownStoreFile(context), ...ownFiles.map(({ path }) => path)];
}

function ownDirectories({ process: { env = {} } }: CliContext): readonly string[] {
  const { config, cache, log, state } = findDirectories(env);
  return outermost([config, cache, log, state]);
}

function outermost(paths: readonly string[]): readonly string[] {
  const distinct = [...new Set(paths)];
  return distinct.filter((path) => !distinct.some((other) => other !== path && isInside(other, path)));
}

/**
 * Creates our directories, so that nothing else can take their place, such as a link that a model moves there. If
 * they cannot be created, another process of this user cannot create them either.
 */
export async function makeOwnDirectories(context: CliContext): Promise<void> {
  for (const directory of ownDirectories(context)) {
    try {
      await (await openOwnDirectory(directory)).close();
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
    }
  }
}

/**
 * The program itself: its code, the packages it loads, and the started file. A change to any of them would run at
 * the next start without a boundary.
 */
export async function programPlaces(
  file: string = fileURLToPath(import.meta.url),
): Promise<readonly string[]> {
  const manifest = createRequire(file).resolve('rootward/package.json');
  const [first = ''] = relative(dirname(manifest), file).split(sep);
  const code = first === '..' ? dirname(file) : join(dirname(manifest), first);
  const packages = await Promise.all(directoriesAbove(file).map(packagesIn));
  return outermost([code, manifest, ...packages.flat(), process.execPath, ...process.argv.slice(1, 2)]);
}

function directoriesAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...directoriesAbove(above)];
}

async function packagesIn(directory: string): Promise<readonly string[]> {
  const packages = join(directory, 'node_modules');
  const look = await lookAt(packages);
  return 'refused' in look ? [] : [packages];
}

/**
 * Tells the operator which of the server's own places lie inside the served directories, one line per kind. The
 * start does not wait for it, so a disk that does not answer delays only this line.
 */
export async function warnOfOwnPlaces(
  context: CliContext,
  settings: OwnFileSettings & Pick<ServeSettings, 'settingOrigins'>,
  directories: readonly string[],
): Promise<void> {
  const roots = await spellPlaces(
    parseRoots(directories.map((uri) => ({ uri }))).roots.map(({ path }) => path),
  );
  const isServed = async (path: string): Promise<boolean> =>
    (await spellPlaces([path])).some((place) => roots.some((root) => isInside(root, place)));
  const say = async (places: readonly DisplayedPath[], line: (list: string) => string): Promise<void> => {
    const served = await Promise.all(
      places.map(async ({ path, shown }) => ((await isServed(path)) ? [shown] : [])),
    );
    const list = served.flat();
    if (list.length > 0) context.process.stderr.write(`rootward: ${line(list.join(', '))}\n`);
  };
  const files = settings.ownFiles.map(({ path, flag }) => ({
    path,
    shown: `${quote(path)} (${settings.settingOrigins[flag] ?? flag})`,
  }));
  const own = [...ownDirectories(context).map(asQuoted), ...files];
  await say(own, (list) => `a served directory holds these, and no client can reach them: ${list}`);
  const program = (await programPlaces()).map(asQuoted);
  await say(
    program,
    (list) => `this program is inside a served directory, where it can be read but not changed: ${list}`,
  );
}

interface DisplayedPath {
  readonly path: string;
  readonly shown: string;
}

function asQuoted(path: string): DisplayedPath {
  return { path, shown: quote(path) };
}

/** The paths as named, and as the disk has them. */
export async function spellPlaces(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => findRealPlace(path).catch(() => path)));
  return [...paths, ...real];
}
