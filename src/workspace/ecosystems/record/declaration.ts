import { quote } from '../../../base/quote.ts';
import { parseWithin } from '../manifest/parsed.ts';
import type { ManifestFormat, ManifestValues, ReadManifest } from '../manifest/read-manifest.ts';

/** One rule of a declaration: directories that are packages, or exceptions from another rule. */
export interface MemberRule {
  /** A directory or a glob, relative to the directory of the declaration. */
  readonly pattern: string;
  /** Names one directory literally. */
  readonly literal?: boolean;
  readonly except?: boolean;
}

/** Reads the packages that a file in an absolute directory declares, or returns an issue. */
export type Declaration = (
  read: ReadManifest,
  file: string,
  directory: string,
) => Promise<{ readonly rules: readonly MemberRule[] } | { readonly issue: string }>;

/** Creates a declaration for a manifest in a parsed format. */
export function declare<Format extends ManifestFormat>(
  format: Format,
  rulesOf: (value: ManifestValues[Format], directory: string) => readonly MemberRule[],
): Declaration {
  return async (read, file, directory) => {
    const reading = await read(file, format);
    return 'issue' in reading ? reading : { rules: rulesOf(reading.value, directory) };
  };
}

/** Creates a declaration for a file that is a program or has its own format: the ecosystem reads its text. */
export function declareByText(rulesOf: (text: string) => readonly MemberRule[]): Declaration {
  return async (read, file) => {
    const reading = await read(file, 'text');
    if ('issue' in reading) return reading;
    const parsed = parseWithin(reading.value, (text) => ({ value: rulesOf(text) }));
    return 'value' in parsed
      ? { rules: parsed.value }
      : { issue: `Cannot read ${quote(file)}: ${parsed.fault}` };
  };
}

/** Returns the texts of a list in a manifest; empty if it is not a list. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
