import { type Parsed, parseWithin } from './parsed.ts';

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
