import { basename, extname } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { fieldAt } from '../ecosystems/manifest/parsed.ts';
import { readManifest, type ReadManifest } from '../ecosystems/manifest/read-manifest.ts';
import { matchMarker } from '../ecosystems/markers.ts';
import type { NameFormat } from '../ecosystems/record/ecosystem.ts';

/** What a manifest says about the name of its project. Nothing at all if it has no place for one. */
export interface ProjectName {
  readonly name?: string;
  /** Why there is no name, where one could be expected: a sentence that names the file. */
  readonly issue?: string;
}

/**
 * The name of a project from one of its manifests, which is a file of the boundary that `matchMarker` knows.
 * A manifest that cannot be read is an issue, never an exception.
 *
 * @example
 * ```ts
 * const boundary = await openBoundary(process.cwd());
 * await readProjectName(boundary, 'package.json') // → { name: 'rootward' }
 * await readProjectName(boundary, 'Cargo.toml') // → { issue: 'Cannot read "Cargo.toml": it does not exist' }
 * await readProjectName(boundary, 'README.md') // → {}
 * await boundary.close();
 * ```
 */
export async function readProjectName(boundary: Boundary, file: string): Promise<ProjectName> {
  return findProjectName(file, (name, format) => readManifest(boundary, name, format));
}

/** The same for a caller that reads more of the manifest than the name. */
export async function findProjectName(file: string, read: ReadManifest): Promise<ProjectName> {
  const format = matchMarker(basename(file))?.name;
  if (format === undefined) return {};
  const found = await readName(file, format, read);
  return found.name === undefined ? found : judgeName(file, found.name.trim());
}

async function readName(file: string, format: NameFormat, read: ReadManifest): Promise<ProjectName> {
  switch (format.format) {
    case 'file-name':
      return { name: basename(file, extname(file)) };
    case 'text':
      return nameIn(await read(file, 'text'), (text) => format.pattern.exec(text)?.groups?.['name']);
    case 'xml':
      return nameIn(await read(file, 'xml'), (xml) =>
        firstText(format.at.flatMap((path) => xml.texts(path))),
      );
    case 'json':
    case 'toml':
    case 'yaml':
      return nameIn(await read(file, format.format), (value) =>
        firstText(format.at.map((path) => fieldAt(value, path))),
      );
  }
}

function nameIn<Value>(
  reading: { readonly value: Value } | { readonly issue: string },
  find: (value: Value) => string | undefined,
): ProjectName {
  if ('issue' in reading) return { issue: reading.issue };
  const name = find(reading.value);
  return name === undefined ? {} : { name };
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}

/** A name is shown to people and models: what `quote` would have to escape or to shorten is none. */
function judgeName(file: string, name: string): ProjectName {
  if (name === '' || name.includes('${')) return {};
  if (quote(name) === `"${name}"`) return { name };
  return { issue: `Cannot use the name in ${quote(file)}: it is too long or cannot be shown as it is` };
}
