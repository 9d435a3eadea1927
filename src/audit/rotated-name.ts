/** The name of a log's file once it is full: `audit.3.jsonl` for `audit.jsonl`. Higher numbers are newer. */
export function rotatedName(name: string, number: number): string {
  const { stem, extension } = splitName(name);
  return `${stem}.${number}${extension}`;
}

/** The number in such a name; `undefined` for every other name. */
export function rotatedNumber(name: string, candidate: string): number | undefined {
  const { stem, extension } = splitName(name);
  if (!candidate.startsWith(`${stem}.`) || !candidate.endsWith(extension)) return undefined;
  const digits = candidate.slice(stem.length + 1, candidate.length - extension.length);
  // Without leading zeros, so that a number has one name.
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot) };
}
