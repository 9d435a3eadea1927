/** A text that names nothing, with what a program without a boundary makes of it. */
export interface MalformedCase {
  readonly title: string;
  readonly path: string;
  /** What plain `node:fs` says to it: the content of a file that was not meant, or an error. */
  readonly plain: { readonly reads: string } | { readonly fails: string };
}

/** What a lone surrogate becomes on its way to the system. */
export const replaced = '\uFFFD';

export const malformedCases: readonly MalformedCase[] = [
  { title: 'an empty path', path: '', plain: { fails: 'EISDIR' } },
  { title: 'NUL', path: '\0', plain: { fails: 'ERR_INVALID_ARG_VALUE' } },
  { title: 'NUL behind a name', path: 'secret\0', plain: { fails: 'ERR_INVALID_ARG_VALUE' } },
  { title: 'NUL before an ending', path: 'secret\0.png', plain: { fails: 'ERR_INVALID_ARG_VALUE' } },
  { title: 'NUL on the way', path: 'va\0ult/../secret', plain: { fails: 'ERR_INVALID_ARG_VALUE' } },
  { title: 'NUL behind a way out', path: '../OUT/secret\0', plain: { fails: 'ERR_INVALID_ARG_VALUE' } },
  { title: 'a lone high surrogate', path: '\uD800', plain: { reads: 'not meant' } },
  { title: 'a lone low surrogate', path: './\uDC00', plain: { reads: 'not meant' } },
  { title: 'a name of 256 bytes', path: 'n'.repeat(256), plain: { fails: 'ENAMETOOLONG' } },
  { title: 'a name of 256 bytes in 128 letters', path: 'é'.repeat(128), plain: { fails: 'ENAMETOOLONG' } },
  { title: 'a name of 500 bytes on the way', path: `${'n'.repeat(500)}/x`, plain: { fails: 'ENAMETOOLONG' } },
  { title: 'a path of 40,000 characters', path: 'd/'.repeat(20_000), plain: { fails: 'ENAMETOOLONG' } },
];
