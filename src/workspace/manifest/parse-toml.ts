import { type Parsed, parseWithin } from './parsed.ts';

export async function parseToml(text: string): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parseWithin(text, () => ({ value: parse(text) }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '');
    return { fault: `line ${error.line}, column ${error.column}: ${reason}` };
  }
}
