import { fieldsOf } from '../../base/fields.ts';
import { escapeText } from '../../base/quote.ts';
import { ecosystems } from '../../workspace/ecosystems/all-ecosystems.ts';
import { fieldAt } from '../../workspace/ecosystems/manifest/parsed.ts';
import type { ReadManifest } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import type { FactRow, FieldPath } from '../../workspace/ecosystems/record/ecosystem.ts';

/** Facts about a project from its manifests. */
export interface ProjectFacts {
  version?: string;
  description?: string;
  license?: string;
  /** Required versions of languages and runtimes. */
  requires: Record<string, string>;
  /** Files or names through which the project is used. */
  entryPoints: string[];
  /** Commands that it defines, by name. */
  scripts: Record<string, string>;
}

/** Files that are entry points by their name. */
const knownEntries = [...ecosystems.flatMap(({ entryPoints = [] }) => entryPoints), 'index.html'];

const most = { entries: 20, scripts: 60, text: 200 } as const;

/** Reads the manifests of a directory. Unreadable ones add nothing; the survey reports them. */
export async function readFacts(names: readonly string[], read: ReadManifest): Promise<ProjectFacts> {
  const facts: ProjectFacts = { requires: {}, entryPoints: [], scripts: {} };
  for (const name of names) {
    const row = matchMarker(name)?.facts;
    if (row !== undefined) await addFacts(facts, name, row, read);
  }
  const known = knownEntries.filter((name) => names.includes(name));
  facts.entryPoints = [...new Set([...facts.entryPoints, ...known])].slice(0, most.entries);
  return facts;
}

async function addFacts(facts: ProjectFacts, name: string, row: FactRow, read: ReadManifest): Promise<void> {
  const find = await finder(name, row, read);
  if (find === undefined) return;
  for (const fact of ['version', 'description', 'license'] as const) {
    const text = (row[fact] ?? [])
      .map(find)
      .map(textOf)
      .find((found) => found !== undefined);
    if (text !== undefined) facts[fact] ??= text;
  }
  for (const [what, way] of Object.entries(row.requires ?? {})) {
    const text = textOf(find(way));
    if (text !== undefined) facts.requires[what] ??= text;
  }
  for (const way of row.entryPoints ?? []) facts.entryPoints.push(...entriesIn(find(way)));
  for (const way of row.scripts ?? []) Object.assign(facts.scripts, scriptsIn(find(way)));
}

type FindField = (way: FieldPath) => unknown;

async function finder(name: string, { format }: FactRow, read: ReadManifest): Promise<FindField | undefined> {
  if (format === 'xml') {
    const reading = await read(name, format);
    return 'value' in reading ? (way) => reading.value.texts(way)[0] : undefined;
  }
  const reading = await read(name, format);
  return 'value' in reading ? (way) => fieldAt(reading.value, way) : undefined;
}

/** Limits the length and escapes invisible characters, because people and models see the text. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.includes('${')) return undefined;
  return escapeText(value.trim().replaceAll(/\s+/g, ' ')).slice(0, most.text);
}

/** Reads a string, a list, or nested objects of these: `exports` of Node may be any of them. */
function entriesIn(value: unknown, name = ''): readonly string[] {
  const text = textOf(value);
  if (text !== undefined) return [name === '' ? text : `${name} → ${text}`];
  if (Array.isArray(value))
    return value.slice(0, most.entries).flatMap((item) => entriesIn(binOf(item), name));
  if (name.length > most.text) return [];
  return Object.entries(fieldsOf(value))
    .slice(0, most.entries)
    .flatMap(([key, inner]) =>
      entriesIn(inner, name === '' ? escapeText(key) : `${name} (${escapeText(key)})`),
    );
}

/** Reads an entry of `[[bin]]` in Cargo: `{ name, path }`. */
function binOf(item: unknown): unknown {
  const [name, path] = ['name', 'path'].map((key) => textOf(fieldAt(item, [key])));
  return name === undefined ? item : { [name]: path ?? `src/bin/${name}.rs` };
}

function scriptsIn(value: unknown): Readonly<Record<string, string>> {
  const scripts = Object.entries(fieldsOf(value)).flatMap(([name, script]) => {
    // Deno uses `{ command }`, Composer a list.
    const command = Array.isArray(script) ? script.join(' && ') : (fieldAt(script, ['command']) ?? script);
    const text = textOf(command);
    return text === undefined ? [] : [[escapeText(name), text] as const];
  });
  return Object.fromEntries(scripts.slice(0, most.scripts));
}
