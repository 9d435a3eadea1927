import { quote } from '../../../base/quote.ts';
import type { Boundary } from '../../../boundary/boundary.ts';
import { RootwardError } from '../../../errors.ts';
import { parseJson, parseToml, parseYaml } from './parse-data.ts';
import { parseXml, type XmlDocument } from './parse-xml.ts';
import type { ManifestValue } from './parsed.ts';

/** The type of a parsed file, by format. */
export interface ManifestValues {
  readonly json: unknown;
  readonly toml: unknown;
  readonly yaml: unknown;
  readonly xml: XmlDocument;
  readonly text: string;
}

export type ManifestFormat = keyof ManifestValues;

/**
 * The content of a manifest, or a sentence on why there is none: the file, the position, what was expected.
 */
export type ManifestReading<Format extends ManifestFormat = ManifestFormat> =
  | { readonly value: ManifestValues[Format] }
  | { readonly issue: string };

/** Reads a manifest for callers that know its directory and its rules. */
export type ReadManifest = <Format extends ManifestFormat>(
  file: string,
  format: Format,
) => Promise<ManifestReading<Format>>;

const mebibyte = 1024 * 1024;

/**
 * Size limits in bytes. For hostile input the parsers take up to 10 µs (YAML) and 250 bytes of memory (TOML)
 * per byte.
 */
const limits: Readonly<Record<ManifestFormat, number>> = {
  json: mebibyte,
  toml: mebibyte / 8,
  yaml: 64 * 1024,
  xml: mebibyte,
  text: mebibyte / 4,
};

const parsers: {
  readonly [Format in ManifestFormat]: (text: string) => Promise<ManifestValue<ManifestValues[Format]>>;
} = {
  json: parseJson,
  toml: parseToml,
  yaml: parseYaml,
  xml: parseXml,
  text: async (value) => ({ value }),
};

/**
 * Reads and parses a manifest. Any content results in a value or an issue, never an exception. Parsers are
 * loaded on first use. Use `fieldAt` on the value, which sees own names only.
 */
export async function readManifest<Format extends ManifestFormat>(
  boundary: Boundary,
  file: string,
  format: Format,
): Promise<ManifestReading<Format>> {
  try {
    const text = await boundary.readText(file, { limit: limits[format] });
    const parsed = await parsers[format](text.replace(/^\uFEFF/, ''));
    return 'value' in parsed ? parsed : { issue: issueOf(file, parsed.fault) };
  } catch (error) {
    return { issue: RootwardError.is(error) ? error.message : issueOf(file, describe(error)) };
  }
}

function issueOf(file: string, fault: string): string {
  return `Cannot read ${quote(file)}: ${printable(fault)}`;
}

/** Parsers repeat their input in messages: keeps one line of it, and printable characters only. */
function printable(fault: string): string {
  const [line = ''] = fault.split('\n', 1);
  return line.slice(0, 160).replaceAll(/[^\x20-\x7E]+/g, '�');
}

/** An exhausted stack, and aliases that multiply. */
function describe(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error ? error.message : 'it cannot be parsed';
}

/** Reads each manifest once, for several callers. */
export function readOnce(boundary: Boundary): ReadManifest {
  const readings = new Map<string, Promise<ManifestReading>>();
  return <Format extends ManifestFormat>(file: string, format: Format) => {
    const key = `${format} ${file}`;
    const reading = readings.get(key) ?? readManifest(boundary, file, format);
    readings.set(key, reading);
    return reading as Promise<ManifestReading<Format>>;
  };
}
