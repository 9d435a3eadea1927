import { hasLineEnd } from './ripgrep-args.ts';
import type { TextQuery } from './text-query.ts';

/**
 * Converts the pattern of a query, which is in the syntax of ripgrep, to a JavaScript expression that matches the same
 * in one line, with the `\r` at its end if there is one. Returns the reason if that is not possible.
 */
export function toScriptPattern(query: TextQuery): RegExp | string {
  const { pattern, literal, wholeWord } = query;
  try {
    const { source, ignoreCase } = literal
      ? { source: escapeText(pattern), ignoreCase: false }
      : new PatternReader(pattern).read();
    const whole = wholeWord ? `(?<!${word})(?:${source})(?!${word})` : source;
    return new RegExp(whole, query.ignoreCase || ignoreCase ? 'iv' : 'v');
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    if (error instanceof SyntaxError)
      return `${error.message.replace(/^.*: /, '')}, says JavaScript, which is used because ripgrep is missing`;
    throw error;
  }
}

class Unsupported extends Error {}

function refuse(what: string): never {
  throw new Unsupported(what);
}

function withoutRipgrep(what: string): never {
  refuse(`${what} is not supported without ripgrep, which is missing here`);
}

/** Characters of words, digits and white space are those of Unicode in ripgrep. */
const word = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';

const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  w: word,
  W: `[^${word}]`,
};

const wordStart = `(?:(?<!${word})(?=${word}))`;
const wordEnd = `(?:(?<=${word})(?!${word}))`;

/** Escapes that stand between characters. Each line is a text of its own, so `\A` is its start. */
const places: Readonly<Record<string, string>> = {
  A: '(?:^)',
  z: '(?:$)',
  b: `(?:${wordStart}|${wordEnd})`,
  B: `(?:(?!${wordStart}|${wordEnd}))`,
  '<': wordStart,
  '>': wordEnd,
  'b{start}': wordStart,
  'b{end}': wordEnd,
  'b{start-half}': `(?:(?<!${word}))`,
  'b{end-half}': `(?:(?!${word}))`,
};

const controls: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', t: '\\t', r: '\\r', v: '\\v' };

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '\\x21-\\x7E',
  lower: 'a-z',
  print: '\\x20-\\x7E',
  punct: '\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E',
  space: '\\t\\n\\v\\f\\r\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Tokens outside of classes: an escape, the start of a group, a repetition, or one character. */
const outside =
  /^(?:\\(?:b\{[a-z-]+\}|[pP](?:\{[^}]*\}|.)|[xuU]\{[^}]*\}|x..|u.{4}|U.{8}|.)|\(\?(?:P?<(?![=!])|[a-zA-Z-]*[:)]|P?[<=!]+|)|\{\d+(?:,\d*)?\}|.)/su;

/** Tokens inside of classes: a named class, an escape, an operator, or one character. */
const inside = /^(?:\[:\^?[a-z]+:\]|\\(?:[pP](?:\{[^}]*\}|.)|[xuU]\{[^}]*\}|x..|u.{4}|U.{8}|.)|&&|--|~~|.)/su;

/** The limit of ripgrep. */
const deepest = 250;

class PatternReader {
  readonly #pattern: string;
  readonly #flags: string;
  /** Whether a `\r` at the end of a line belongs to the line end. */
  readonly #crlf: boolean;
  #at: number;
  /** Number of classes around the position. */
  #depth = 0;

  /**
   * Reads flags only at the beginning. Each line is searched alone and Unicode is on, so that all but `i` and `s` change
   * nothing.
   */
  constructor(pattern: string) {
    const [start = '', flags = ''] = /^\(\?([imsu]+)\)/.exec(pattern) ?? [];
    this.#pattern = pattern;
    this.#flags = flags;
    this.#crlf = hasLineEnd(pattern);
    this.#at = start.length;
  }

  read(): { source: string; ignoreCase: boolean } {
    if (this.#pattern.includes('\n')) refuse(newline);
    let source = '';
    for (let token = this.#next(outside); token !== ''; token = this.#next(outside))
      source += this.#piece(token);
    return { source, ignoreCase: this.#flags.includes('i') };
  }

  #next(tokens: RegExp): string {
    const [token = ''] = tokens.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += token.length;
    return token;
  }

  #piece(token: string): string {
    if (token === '[') return this.#readClass();
    if (token.startsWith('\\')) return readEscape(token);
    if (token.startsWith('(?')) return readGroup(token);
    if (token === '{') refuse('repetition quantifier expects a valid decimal');
    if (token.startsWith('{') || '()|*+?'.includes(token)) return token;
    return this.#places[token] ?? escapeText(token);
  }

  get #places(): Readonly<Record<string, string>> {
    const any = this.#crlf && !this.#flags.includes('s') ? '[^\\r\\n]' : '[^\\n]';
    if (!this.#crlf) return { '.': any, '^': '(?:^)', $: '(?:$)' };
    return { '.': any, '^': '(?:^|(?<=\\r)(?!$))', $: '(?:(?=\\r)|(?<!\\r)$)' };
  }

  /** Reads a class after its bracket. Operators have the same rank, and take all that stands to their left. */
  #readClass(): string {
    this.#depth += 1;
    if (this.#depth > deepest) refuse('classes are nested too deeply');
    const isNegated = this.#pattern[this.#at] === '^';
    if (isNegated) this.#at += 1;
    let [left, operator, items] = ['', '', this.#leadingItems()];
    for (;;) {
      const token = this.#next(inside);
      if (token === '') refuse('unclosed character class');
      if (token === '~~') withoutRipgrep('the operator ~~');
      if (!['&&', '--', ']'].includes(token)) {
        items += this.#item(token, isNegated);
        continue;
      }
      left = operator === '' ? `[${items}]` : `[${left}${operator}[${items}]]`;
      [operator, items] = [token, ''];
      if (token !== ']') continue;
      this.#depth -= 1;
      return isNegated ? `[^${left}]` : left;
    }
  }

  /** A bracket or hyphens at the beginning are ordinary characters. */
  #leadingItems(): string {
    const [lead = ''] = /^(?:\]|-+)/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += lead.length;
    return escapeText(lead);
  }

  /** Reads a class in the class, or a character, or a range. */
  #item(token: string, isNegated: boolean): string {
    const known = namedClass(token);
    if (known !== undefined) return known;
    if (token.startsWith('[')) {
      // Brackets and colons around no known name are a class of these characters.
      this.#at -= token.length - 1;
      return this.#readClass();
    }
    const first = memberOf(token, isNegated);
    if (!/^-(?![\]-])/.test(this.#pattern.slice(this.#at))) return first;
    this.#at += 1;
    return `${first}-${memberOf(this.#next(inside), isNegated)}`;
  }
}

function memberOf(token: string, isNegated: boolean): string {
  if (!token.startsWith('\\')) return escapeText(token);
  return token === '\\n' && isNegated ? '\\n' : readEscape(token, true);
}

const newline = 'it has a newline, and each line is searched alone';

/** Returns the class of `[:alpha:]`, if it has that form and there is one. */
function namedClass(token: string): string | undefined {
  const [, negation = '', name = ''] = /^\[:(\^?)([a-z]+):\]$/.exec(token) ?? [];
  return Object.hasOwn(posix, name) ? `[${negation}${posix[name]}]` : undefined;
}

/** `(?=` and its like look around; flags are refused, because JavaScript has none for a part of a pattern. */
function readGroup(token: string): string {
  if (token === '(?:') return token;
  if (token === '(?<' || token === '(?P<') return '(?<';
  if (/^\(\?[a-zA-Z-]+[:)]$/.test(token)) withoutRipgrep(`the flag ${token.slice(2, -1)} at this place`);
  return refuse('look-around, including look-ahead and look-behind, is not supported');
}

function readEscape(token: string, isInClass = false): string {
  const name = token.slice(1);
  const place = places[name];
  if (place !== undefined && !isInClass) return place;
  if (name === '') refuse('incomplete escape sequence');
  if (name === 'n') refuse(newline);
  if (/^[1-9]/.test(name)) refuse('backreferences are not supported');
  if (/^[xuU]/.test(name)) return readCode(name);
  if (/^[pP]/.test(name)) return readProperty(name);
  const known = classes[name] ?? controls[name];
  if (known !== undefined) return known;
  return /^[\p{L}\p{N}]/u.test(name) ? refuse(`unrecognized escape sequence \\${name}`) : escapeText(name);
}

/** `x41`, `x{1F600}`, `u00e4` and `U0001F600`. */
function readCode(name: string): string {
  const digits = name.slice(1).replaceAll(/[{}]/g, '');
  const code = /^[\da-fA-F]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(code <= 0x10_ff_ff)) refuse(`\\${name} is no character`);
  if (code === 0x0a) refuse(newline);
  return `\\u{${code.toString(16)}}`;
}

/** Ripgrep takes the name of a script alone, and any spelling of it. */
function readProperty(name: string): string {
  const asked = name.slice(1).replaceAll(/[{}]/g, '');
  const plain = asked.replace(/^(?:sc|script)\s*[:=]\s*/i, '').replaceAll(/[\s-]/g, '_');
  const titled = plain.replaceAll(/(?<=^|_)\p{L}/gu, (letter) => letter.toUpperCase());
  const spellings = [plain, titled, `Script=${titled}`, `General_Category=${titled}`];
  const known = spellings.find((spelling) => isProperty(spelling));
  return known === undefined ? withoutRipgrep(`the class \\${name}`) : `\\${name[0]}{${known}}`;
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'v') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Writes every character that could mean something as its code. */
function escapeText(text: string): string {
  return text.replaceAll(
    /[^\p{L}\p{N}_ ]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
