import type * as Jsonc from 'jsonc-parser';
import type * as Yaml from 'yaml';
import { endAfter, ended } from '../../base/end-after.ts';
import { ownField } from '../../base/fields.ts';

/** What can be asked of an XML file. */
export interface XmlDocument {
  /** The text of every element on a way of element names that begins at the document's own: `project`, `modules`, `module`. */
  texts(path: readonly string[]): readonly string[];
}

/** Ways that are asked for have up to six names; what lies deeper is read over. */
const deepest = 8;

/**
 * Reads the elements of an XML file, once from front to back: a file of any content takes time and memory in
 * proportion to its length. Prefixes of namespaces are left out of names. No declared entity is expanded and nothing
 * is loaded. Checks that tags and quotes are closed, not every rule of XML: attributes may repeat.
 */
export async function parseXml(text: string): Promise<Parsed<XmlDocument>> {
  const reader = new XmlReader(text);
  try {
    reader.readAll();
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return { fault: `${at(text, error.offset)}: ${error.message}` };
  }
  return { value: { texts: (path) => reader.found.get(path.join('/')) ?? [] } };
}

class XmlFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

interface OpenElement {
  readonly name: string;
  /** The names of the way to it; `undefined` for one that lies too deep to be asked for. */
  readonly way: string | undefined;
  /** Its own text so far, without that of elements within it. */
  text: string;
}

class XmlReader {
  /** The texts of closed elements, by the names of their way. */
  readonly found = new Map<string, string[]>();
  readonly #text: string;
  readonly #open: OpenElement[] = [];
  #offset = 0;
  #hasRoot = false;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): void {
    while (this.#offset < this.#text.length) this.#readNext();
    const last = this.#open.at(-1);
    if (last !== undefined) throw new XmlFault(this.#offset, `unclosed element ${last.name}`);
    if (!this.#hasRoot) throw new XmlFault(0, 'missing root element');
  }

  #readNext(): void {
    const text = this.#text;
    const start = this.#offset;
    if (text[start] !== '<') return this.#readText();
    if (text.startsWith('</', start)) return this.#readEndTag();
    if (text.startsWith('<?', start)) return void this.#readUntil('?>');
    if (text.startsWith('<!--', start)) return void this.#readUntil('-->');
    if (text.startsWith(cdata, start))
      return this.#addText(this.#readUntil(']]>').slice(cdata.length, -']]>'.length));
    if (text.startsWith('<!DOCTYPE', start)) return this.#readDoctype();
    return this.#readStartTag();
  }

  #readText(): void {
    const next = this.#text.indexOf('<', this.#offset);
    const end = next === -1 ? this.#text.length : next;
    const said = this.#text.slice(this.#offset, end);
    if (this.#open.length === 0 && said.trim() !== '')
      throw new XmlFault(
        this.#offset,
        this.#hasRoot ? 'text after the root element' : 'missing root element',
      );
    this.#offset = end;
    this.#addText(decode(said));
  }

  #addText(said: string): void {
    const element = this.#open.at(-1);
    if (element?.way !== undefined) element.text += said;
  }

  /** From here to the end of a mark, which is the first of its kind. */
  #readUntil(mark: string): string {
    const start = this.#offset;
    const end = this.#text.indexOf(mark, start + 2);
    if (end === -1) throw new XmlFault(start, `unclosed: ${mark} is missing`);
    this.#offset = end + mark.length;
    return this.#text.slice(start, this.#offset);
  }

  /** Declarations are read over, up to the bracket that closes the last of them. */
  #readDoctype(): void {
    const start = this.#offset;
    let depth = 0;
    for (;;) {
      const [part = ''] = this.#match(doctypePart) ?? [];
      if (part === '') throw new XmlFault(start, 'unclosed document type');
      if (part === '<!--') this.#readUntil('-->');
      if (part === '<') depth += 1;
      if (part === '>') depth -= 1;
      if (depth === 0) return;
    }
  }

  #readStartTag(): void {
    const start = this.#offset;
    this.#offset += 1;
    const [name] = this.#match(nameOf) ?? [];
    if (name === undefined) throw new XmlFault(start, 'an element name is expected');
    if (this.#open.length === 0 && this.#hasRoot) throw new XmlFault(start, 'a second root element');
    while (this.#match(attribute) !== undefined);
    const [end] = this.#match(tagEnd) ?? [];
    if (end === undefined) throw new XmlFault(this.#offset, `the tag of ${name} is not closed`);
    this.#hasRoot = true;
    this.#push(name);
    if (end.endsWith('/>')) this.#pop();
  }

  #readEndTag(): void {
    const start = this.#offset;
    this.#offset += 2;
    const [name] = this.#match(nameOf) ?? [];
    const expected = this.#open.at(-1)?.name;
    if (name === undefined || name !== expected)
      throw new XmlFault(start, `tag mismatch: ${expected ?? 'no element'} is open`);
    const [end] = this.#match(tagEnd) ?? [];
    if (end?.endsWith('/>') !== false) throw new XmlFault(start, `the end tag of ${name} is not closed`);
    this.#pop();
  }

  #push(name: string): void {
    const local = name.slice(name.indexOf(':') + 1);
    const above = this.#open.at(-1);
    const isAsked = this.#open.length < deepest;
    const way = above === undefined ? local : `${above.way}/${local}`;
    this.#open.push({ name, way: isAsked ? way : undefined, text: '' });
  }

  #pop(): void {
    const { way, text } = this.#open.pop() ?? {};
    if (way === undefined) return;
    const texts = this.found.get(way);
    const own = (text ?? '').trim();
    if (texts === undefined) this.found.set(way, [own]);
    else texts.push(own);
  }

  /** What a sticky pattern finds here, which is then behind us. */
  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#offset = pattern.lastIndex;
    return match;
  }
}

const cdata = '<![CDATA[';

/** Each looks at a character at most twice: where one does not match, the file is at fault and no more is read. */
const nameOf = /[:_\p{L}][-.:_\p{L}\p{M}\p{N}\u00B7]*/uy;
const attribute = /\s+[:_\p{L}][-.:_\p{L}\p{M}\p{N}\u00B7]*\s*=\s*(?:"[^<"]*"|'[^<']*')/uy;
const tagEnd = /\s*\/?>/y;
const doctypePart = /<!--|[<>]|"[^"]*"|'[^']*'|[^<>"']+/y;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Entities that XML itself defines, and characters by number. Others stay as they are written. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>\w{1,8}));/gi,
    (whole, ...rest) => {
      const { hex, decimal, name } = rest.at(-1) as Partial<Record<string, string>>;
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** What is found on a way through parsed data, by own names only: a `__proto__` in a file leads nowhere. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownField, value);
}

/** JSON, and if it is none, JSON with comments and commas at the end, as editors and Deno write it. */
export async function parseJson(text: string): Promise<Parsed> {
  if (hasOpenBrackets(text, limits.depth))
    return { fault: `it is nested more than ${limits.depth} levels deep` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return text.length > limits.lenient
      ? {
          fault: `it is not JSON, and longer than ${limits.lenient} characters, so that no comments are looked for`,
        }
      : parseLenient(text);
  }
}

/** Nothing ends the engine's own parser, which takes long for a value that is very deep. */
const limits = { depth: 1_000, lenient: 262_144 } as const;

/** Loaded only if needed: most manifests are plain JSON. */
async function parseLenient(text: string): Promise<Parsed> {
  // By name, so that a bundle leaves out the rest of the package.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  return parseWithin(text, () => parseWith({ parse, printParseErrorCode }, text));
}

type Parser = Pick<typeof Jsonc, 'parse' | 'printParseErrorCode'>;

function parseWith({ parse, printParseErrorCode }: Parser, text: string): Parsed {
  const errors: Jsonc.ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { value };
  return { fault: `${at(text, first.offset)}: ${toWords(printParseErrorCode(first.error))}` };
}

/** `CommaExpected` as `comma expected`. */
function toWords(code: string): string {
  return code
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^<.*>$/, 'not JSON');
}

/** Every part of a key becomes a table of its own, which takes hundreds of bytes. */
const deepKey = /^[^=\n"']*?(?:\.[^=\n."']*){64}/m;

export async function parseToml(text: string): Promise<Parsed> {
  if (deepKey.test(text)) return { fault: 'a key in it has more than 64 parts' };
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parseWithin(text, () => ({ value: parse(text) }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '');
    return { fault: `line ${error.line}, column ${error.column}: ${reason}` };
  }
}

/** Far more than any manifest has. Deeper ones exhaust the stack of the parser, which ends the process. */
const deepestYaml = 64;

/** Brackets that are open at a time, some of which may be letters of a text: for what need not be parsed at all. */
const brackets = 1_000;

/**
 * YAML 1.2, one document. Looks at the depth first, which the first half of the parser tells without
 * recursion. Errors without their surroundings: to make those takes minutes for a file of nothing but errors.
 *
 * @throws {ReferenceError} for aliases that lead nowhere or multiply
 */
export async function parseYaml(text: string): Promise<Parsed> {
  if (hasOpenBrackets(text, brackets)) return { fault: `it is nested more than ${deepestYaml} levels deep` };
  const yaml = await import('yaml');
  return parseWithin(text, () => parseDocument(text, yaml));
}

function parseDocument(text: string, { Composer, Parser }: typeof Yaml): Parsed {
  const tokens = [...new Parser().parse(text)];
  if (isDeeper(tokens, deepestYaml)) return { fault: `it is nested more than ${deepestYaml} levels deep` };
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (second !== undefined) return { fault: `${at(text, second.range[0])}: one document is expected` };
  const [error] = document?.errors ?? [];
  if (error !== undefined) return { fault: `${at(text, error.pos[0])}: ${error.message}` };
  return { value: document?.toJS({ maxAliasCount: 100 }) };
}

function isDeeper(tokens: readonly Yaml.CST.Token[], levels: number): boolean {
  let level = tokens.flatMap(childrenOf);
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) level = level.flatMap(childrenOf);
  return level.length > 0;
}

function childrenOf(token: Yaml.CST.Token): readonly Yaml.CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items
    .flatMap(({ key, value }) => [key, value])
    .filter((child) => child !== null && child !== undefined);
}

/** What a parser made of a text: a value, or where and why it could not. */
export type Parsed<Value = unknown> = { readonly value: Value } | { readonly fault: string };

/** Milliseconds that a parser may hold the process; real manifests take a few. */
const longest = 250;

/** Characters of a text that no parser needs long for. Most manifests are shorter, and to watch a parser takes time, too. */
const harmless = 4_096;

/** Parses a text from a repository that may be hostile, and ends the parser when it takes too long. */
export function parseWithin<Value>(
  text: string,
  parse: (text: string) => Parsed<Value>,
  milliseconds: number = longest,
): Parsed<Value> {
  if (text.length <= harmless) return parse(text);
  const parsed = endAfter(milliseconds, () => parse(text));
  return parsed === ended ? { fault: 'it takes too long to parse' } : parsed;
}

/** Line and column of a place in a text, as an editor counts them. */
export function at(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/** Whether brackets outside of texts are open at more levels than this. Exact for JSON; in other formats a quote may be a letter. */
export function hasOpenBrackets(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let [depth, isInText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') isInText = !isInText;
    else if (isInText) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
