import { shortNames } from './short-names.ts';

/**
 * Every spelling of a path that some disk might open it by: several hundred for each. Most of them open nothing on
 * most disks; a test asks the disk itself which ones do.
 */
export function spellingsOf(path: string): readonly string[] {
  const names = path.split('/');
  const found = new Set<string>();
  for (const [index, name] of names.entries())
    for (const spelled of spellingsOfName(name)) found.add(names.with(index, spelled).join('/'));
  // The same thing done to each name at once.
  const all = names.map(spellingsOfName);
  for (let kind = 0; kind < Math.max(...all.map(({ length }) => length)); kind += 1)
    found.add(all.map((spelled) => spelled[kind % spelled.length]).join('/'));
  for (const spelled of [`./${path}`, `${path}/`, `${path}/.`, `x/../${path}`, path.replaceAll('/', '//')])
    found.add(spelled);
  found.delete(path);
  return [...found].filter((spelled) => !spelled.includes('\0'));
}

const tails = [
  '.',
  '..',
  ' ',
  '. ',
  ' .',
  '. . .',
  ':',
  '::$DATA',
  ':$DATA',
  ':a',
  ':a:$DATA',
  '.:',
  ' :',
  ';1',
];
const directoryTails = ['::$INDEX_ALLOCATION', ':$I30:$INDEX_ALLOCATION'];
const ignorable = ['\u200C', '\u200D', '\u200E', '\uFEFF', '\u00AD', '\uFE0F', '\u2060', '\u{E0001}'];
/** As SMB and WSL keep what Windows forbids. */
const privateUse = ['\uF020', '\uF022', '\uF028', '\uF029', '\uF02E', '\uF03A'];

/** Of one name; the same number of them in the same order for names of the same kind. */
export function spellingsOfName(name: string): readonly string[] {
  const cases = [name.toUpperCase(), name.toLowerCase(), capital(name), mixed(name)];
  const forms = [name.normalize('NFD'), name.normalize('NFC'), name.normalize('NFKD'), fullwidth(name)];
  const alike = [name.replace('s', '\u017F'), name.replace('k', '\u212A'), name.replace('i', '\u0131')];
  const odd = [...ignorable, ...privateUse].flatMap((mark) => [mark + name, name + mark, insert(name, mark)]);
  const shorts = shortSpellings(name);
  const tailed = [name, ...cases, ...shorts].flatMap((each) => tails.map((tail) => each + tail));
  const escaped = [
    escape(name, 0),
    escape(name, 1),
    escape(name, name.length - 1),
    name.replaceAll(/./gu, hex),
  ];
  return [
    ...cases,
    ...forms,
    ...alike,
    ...odd,
    ...shorts,
    ...tailed,
    ...directoryTails.map((tail) => name + tail),
    ...escaped,
    ` ${name}`,
    `.${name}`,
    fullwidth(name.slice(0, 1)) + name.slice(1),
  ];
}

/** Computed as disks do, tried one after the other, and in the forms of Wine and Samba. */
function shortSpellings(name: string): readonly string[] {
  const numbered = shortNames([name], 'numbered').map(([, short]) => short);
  const plain = shortNames([name], 'plain').map(([, short]) => short);
  const base = name.replace(/^\.+/, '').replace(/\..*$/, '').toUpperCase();
  const extension = /.\.([^.]{1,3})[^.]*$/.exec(name)?.[1];
  const end = extension === undefined ? '' : `.${extension.toUpperCase()}`;
  const tried = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => `${base.slice(0, 6)}~${count}${end}`);
  const others = [
    `${base.slice(0, 2)}0A1B~1${end}`,
    `${base.slice(0, 5)}~XY${end}`,
    `${base.slice(0, 3)}~~3EE${end}`,
  ];
  return [...numbered, ...plain, ...tried, ...others, ...numbered.map((short) => short.toLowerCase())];
}

function capital(name: string): string {
  return name.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

function mixed(name: string): string {
  return name.replaceAll(/(.)(.)/gu, (_, first: string, second: string) => first + second.toUpperCase());
}

function fullwidth(text: string): string {
  return text.replaceAll(/[!-~]/g, shift);
}

function shift(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
}

function insert(name: string, mark: string): string {
  return name.slice(0, 2) + mark + name.slice(2);
}

/** As FAT reads a character with `uni_xlate`. */
function escape(name: string, index: number): string {
  return name.slice(0, index) + hex(name.slice(index, index + 1)) + name.slice(index + 1);
}

function hex(letter: string): string {
  return `:${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
