import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Comment, Directive, Statement } from 'oxc-parser';
import { parseSource } from '../test/architecture/parse-source.ts';
import { declarationOf, namesOf } from '../test/support/docs/doc-comments.ts';

/** The doors of the package, by the name under which a program imports them. */
const doors = {
  rootward: 'src/index.ts',
  'rootward/server': 'src/server/index.ts',
  'rootward/client': 'src/client/index.ts',
  'rootward/tools': 'src/tools/index.ts',
  'rootward/gateway': 'src/gateway/index.ts',
  'rootward/web': 'src/web/index.ts',
  'rootward/testing': 'src/testing/index.ts',
} as const;

/** Every page of the reference by its file, made from what the doors export and its doc comments. */
export function referencePages(read: ReadSource = readFromDisk): ReadonlyMap<string, string> {
  const pages = Object.entries(doors).map(([door, file]) => {
    const symbols = symbolsOf(read, file).toSorted((one, other) => compareNames(one.name, other.name));
    return { door, file: `${door.replace('rootward/', '')}.md`, symbols };
  });
  return new Map([
    ['README.md', indexPage(pages)],
    ...pages.map(({ door, file, symbols }) => [file, doorPage(door, symbols)] as const),
  ]);
}

/** The text of a source, by its path from the top of the repository. */
export type ReadSource = (file: string) => string;

function readFromDisk(file: string): string {
  return readFileSync(file, 'utf8');
}

/** One exported name. */
interface PublicSymbol {
  readonly name: string;
  /** The declaration without bodies. */
  readonly signature: string;
  /** The lines of its doc comment, without the frame. */
  readonly doc: readonly string[];
}

interface DoorPage {
  readonly door: string;
  readonly file: string;
  readonly symbols: readonly PublicSymbol[];
}

const made = '<!-- Made by `npm run reference` from the exports and their doc comments. -->';

function indexPage(pages: readonly DoorPage[]): string {
  const lists = pages.map(({ door, file, symbols }) => {
    const names = symbols.map(({ name }) => `[\`${name}\`](${file}#${name.toLowerCase()})`);
    return `## [\`${door}\`](${file})\n\n${names.join(', ')}`;
  });
  const where =
    'Every name that the package exports, by the door that exports it. The [guides](../guides/) show how they work together.';
  return `${[made, '# Reference', where, ...lists].join('\n\n')}\n`;
}

function doorPage(door: string, symbols: readonly PublicSymbol[]): string {
  const sections = symbols.map(({ name, signature, doc }) =>
    [`## ${name}`, ...describe(doc), fence(signature)].join('\n\n'),
  );
  return `${[made, `# \`${door}\``, 'Back to [all names](README.md).', ...sections].join('\n\n')}\n`;
}

function fence(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

/** The text of a doc comment: its description, its errors, its examples. */
function describe(lines: readonly string[]): readonly string[] {
  const tags: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('@')) tags.push([]);
    tags.at(-1)?.push(line);
  }
  return tags.map((tag) => describeTag(tag.join('\n').trim())).filter((text) => text !== '');
}

function describeTag(text: string): string {
  if (text.startsWith('@throws')) {
    const [, type = 'an error', rest = ''] = /^@throws \{(.*?)\}\s*(.*)$/s.exec(text) ?? [];
    return `Throws \`${type}\`${rest === '' ? '' : `: ${rest}`}`;
  }
  if (text.startsWith('@example')) return text.replace(/^@example\s*/, '');
  return text;
}

function symbolsOf(read: ReadSource, door: string): readonly PublicSymbol[] {
  return parseSource(door, read(door)).program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.source === null) return [];
    const file = posix.join(posix.dirname(door), node.source.value);
    return node.specifiers.map(({ local, exported }) =>
      symbolIn(file, read(file), { local: nameOf(local), name: nameOf(exported) }),
    );
  });
}

function nameOf(name: { readonly type: string; readonly name?: string; readonly value?: string }): string {
  return name.name ?? name.value ?? '';
}

function symbolIn(
  file: string,
  text: string,
  { local, name }: { readonly local: string; readonly name: string },
): PublicSymbol {
  const { program, comments } = parseSource(file, text);
  const nodes = program.body.filter((node) => namesOf(node).includes(local));
  const [first] = nodes;
  if (first === undefined) throw new Error(`${file} does not declare ${local}`);
  const source = { text, comments };
  const signature = nodes.map((node) => signatureOf(node, source)).join('\n');
  return { name, signature, doc: docBefore(first, source) };
}

interface SourceText {
  readonly text: string;
  readonly comments: readonly Comment[];
}

function signatureOf(node: Directive | Statement, source: SourceText): string {
  const { text } = source;
  const declared = declarationOf(node);
  if (declared.type === 'FunctionDeclaration' || declared.type === 'TSDeclareFunction')
    return `${text.slice(declared.start, declared.body?.start ?? declared.end).trim()};`.replace(';;', ';');
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.map(({ id }) => `const ${text.slice(id.start, id.end)};`).join('\n');
  if (declared.type !== 'ClassDeclaration') return text.slice(declared.start, declared.end);
  const members = declared.body.body.flatMap((member) => memberOf(member, source));
  return `${text.slice(declared.start, declared.body.start).trim()} {\n${members.join('\n')}\n}`;
}

interface ClassMember {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly key?: { readonly type: string };
  readonly accessibility?: string | null;
  readonly value?: { readonly start: number; readonly body?: { readonly start: number } | null } | null;
}

/** The public face of one member of a class, with its doc comment. */
function memberOf(member: ClassMember, source: SourceText): readonly string[] {
  const { key, value, start, end, type, accessibility } = member;
  if (key === undefined || key.type === 'PrivateIdentifier' || accessibility === 'private') return [];
  const stop = type === 'PropertyDefinition' ? value?.start : value?.body?.start;
  const head = source.text
    .slice(start, stop ?? end)
    .replace(/\s*=\s*$/, '')
    .replace(/^async /, '')
    .replace(/;$/, '')
    .trim();
  const doc = docBefore(member, source);
  if (doc[0]?.startsWith('@internal') === true) return [];
  return [...frame(doc), `  ${head};`];
}

function frame(doc: readonly string[]): readonly string[] {
  if (doc.length < 2) return doc.map((line) => `  /** ${line} */`);
  return ['  /**', ...doc.map((line) => `   * ${line}`.trimEnd()), '   */'];
}

/** The doc comment that stands directly before a node. */
function docBefore({ start }: { readonly start: number }, { text, comments }: SourceText): readonly string[] {
  const comment = comments.findLast(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  );
  if (comment === undefined) return [];
  const lines = comment.value.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd());
  return lines.join('\n').trim().split('\n');
}

/** By code units, so that the order is the same everywhere; capitals do not come first. */
function compareNames(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left < right ? -1 : Number(left > right);
}
