import { basename, extname } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { fieldAt } from '../ecosystems/manifest/parsed.ts';
import { readManifest, type ReadManifest } from '../ecosystems/manifest/read-manifest.ts';
import { matchMarker } from '../ecosystems/markers.ts';
import type { NameFormat } from '../ecosystems/record/ecosystem.ts';

/** The project name in a manifest; empty if this kind of manifest has none. */
export interface ProjectName {
  readonly name?: string;
  /** Why there is no name, if one could be expected: a sentence that names the file. */
  readonly issue?: string;
}

/**
 * Reads the name of a project from one of its manifests, a file of the boundary that `matchMarker` knows. A
 * manifest that cannot be read is an issue, never an exception.
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

/** Like `readProjectName`, for a caller that reads more of the manifest. */
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

/** Names are shown to people and models: refuses names that `quote` would escape or shorten. */
function judgeName(file: string, name: string): ProjectName {
  if (name === '' || name.includes('${')) return {};
  if (quote(name) === `"${name}"`) return { name };
  return { issue: `Cannot use the name in ${quote(file)}: it is too long or cannot be shown as it is` };
}
