import { at, type ManifestValue } from './parsed.ts';

/** A parsed XML file. */
export interface XmlDocument {
  /**
   * Returns the texts of all elements at a path of element names, from the root element on: `project`,
   * `modules`, `module`.
   */
  texts(path: readonly string[]): readonly string[];
}

/** Requested paths have up to six names; deeper elements are skipped. */
const deepest = 8;

/**
 * Reads the elements of an XML file in a single pass: time and memory are proportional to its length,
 * whatever it contains. Namespace prefixes are dropped from names. Declared entities are not expanded, and
 * nothing is loaded. Checks that tags and quotes are closed, not every rule of XML: attributes may repeat.
 */
export async function parseXml(text: string): Promise<ManifestValue<XmlDocument>> {
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
  /** The path of names; `undefined` for an element that is too deep to be requested. */
  readonly way: string | undefined;
  /** Its own text so far, without that of inner elements. */
  text: string;
}

class XmlReader {
  /** The texts of closed elements, by path. */
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
    const text = this.#text.slice(this.#offset, end);
    if (this.#open.length === 0 && text.trim() !== '')
      throw new XmlFault(
        this.#offset,
        this.#hasRoot ? 'text after the root element' : 'missing root element',
      );
    this.#offset = end;
    this.#addText(decode(text));
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element?.way !== undefined) element.text += text;
  }

  /** Reads up to the end of the next mark. */
  #readUntil(mark: string): string {
    const start = this.#offset;
    const end = this.#text.indexOf(mark, start + 2);
    if (end === -1) throw new XmlFault(start, `unclosed: ${mark} is missing`);
    this.#offset = end + mark.length;
    return this.#text.slice(start, this.#offset);
  }

  /** Skips declarations, up to the bracket that closes the last of them. */
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

  /** Matches a sticky pattern at the offset, and moves the offset behind the match. */
  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#offset = pattern.lastIndex;
    return match;
  }
}

const cdata = '<![CDATA[';

/** Each examines a character at most twice: if one does not match, the file is refused. */
const nameOf = /[:_\p{L}][-.:_\p{L}\p{M}\p{N}\u00B7]*/uy;
const attribute = /\s+[:_\p{L}][-.:_\p{L}\p{M}\p{N}\u00B7]*\s*=\s*(?:"[^<"]*"|'[^<']*')/uy;
const tagEnd = /\s*\/?>/y;
const doctypePart = /<!--|[<>]|"[^"]*"|'[^']*'|[^<>"']+/y;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the entities that XML defines, and characters by number. Others stay as written. */
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
