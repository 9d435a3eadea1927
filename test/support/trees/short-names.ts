/** The short name of each entry of a directory, as FAT and NTFS make them: six characters, a number, an extension. */
export function shortNames(
  entries: readonly string[],
  kind: 'numbered' | 'plain',
): readonly (readonly [entry: string, short: string])[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    const { base, extension, fits } = cut(entry);
    const candidates = [
      ...(fits || kind === 'plain' ? [base.slice(0, 8) + extension] : []),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => `${base.slice(0, 6)}~${count}${extension}`),
    ];
    const short = candidates.find((name) => !taken.has(name)) ?? entry;
    taken.add(short);
    return [entry, short];
  });
}

/** Without leading dots and spaces, in upper case, and what is not allowed as `_`. */
function cut(name: string): { base: string; extension: string; fits: boolean } {
  const plain = name
    .replace(/^\.+/, '')
    .replaceAll(/[\s]/g, '')
    .replaceAll(/[+,;=[\]]/g, '_')
    .toUpperCase();
  const dot = plain.lastIndexOf('.');
  const whole = dot === -1 ? plain : plain.slice(0, dot);
  const extension = dot === -1 ? '' : plain.slice(dot, dot + 4);
  const base = whole.replaceAll('.', '');
  const fits = name.toUpperCase() === base + extension && base.length <= 8;
  return { base, extension, fits };
}
