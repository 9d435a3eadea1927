import { quote } from '../../base/quote.ts';
import { readGoMembers } from './go.ts';
import { readGradleMembers, readMavenMembers } from './java.ts';
import type { MemberRule } from './members.ts';
import { readDenoMembers, readNodeMembers, readPnpmMembers } from './node.ts';
import { readEditorMembers } from './others.ts';
import { parseWithin } from './parse-manifest.ts';
import { readUvMembers } from './python.ts';
import type { ManifestFormat, ManifestValues, ReadManifest } from './read-manifest.ts';
import { readCargoMembers } from './rust.ts';

/** Reads the packages that a file in an absolute directory declares, or says why it cannot. */
export type Declaration = (
  read: ReadManifest,
  file: string,
  directory: string,
) => Promise<{ readonly rules: readonly MemberRule[] } | { readonly issue: string }>;

/** How a monorepo is declared, by the `file` of a marker. For Gradle best effort: its files are programs. */
export const declarations: Readonly<Record<string, Declaration>> = {
  'package.json': declare('json', readNodeMembers),
  'pnpm-workspace.yaml': declare('yaml', readPnpmMembers),
  'deno.json': declare('json', readDenoMembers),
  'deno.jsonc': declare('json', readDenoMembers),
  'Cargo.toml': declare('toml', readCargoMembers),
  'pyproject.toml': declare('toml', readUvMembers),
  'go.work': declareByText(readGoMembers),
  'pom.xml': declare('xml', readMavenMembers),
  'settings.gradle': declareByText(readGradleMembers),
  'settings.gradle.kts': declareByText(readGradleMembers),
  '*.code-workspace': declare('json', readEditorMembers),
};

function declare<Format extends ManifestFormat>(
  format: Format,
  rulesOf: (value: ManifestValues[Format], directory: string) => readonly MemberRule[],
): Declaration {
  return async (read, file, directory) => {
    const reading = await read(file, format);
    return 'issue' in reading ? reading : { rules: rulesOf(reading.value, directory) };
  };
}

/** For files that are programs or have a format of their own, and are read here. */
function declareByText(rulesOf: (text: string) => readonly MemberRule[]): Declaration {
  return async (read, file) => {
    const reading = await read(file, 'text');
    if ('issue' in reading) return reading;
    const parsed = parseWithin(reading.value, (text) => ({ value: rulesOf(text) }));
    return 'value' in parsed
      ? { rules: parsed.value }
      : { issue: `Cannot read ${quote(file)}: ${parsed.fault}` };
  };
}
