import { longestPath } from './split-path.ts';

/** Which rule a text breaks that should have been a file URI. */
export type UriFaultCode =
  | 'empty'
  | 'too-long'
  | 'scheme'
  | 'relative'
  | 'host'
  | 'unc'
  | 'slashes'
  | 'query'
  | 'fragment'
  | 'character'
  | 'escape'
  | 'encoding'
  | 'separator'
  | 'dot-segment'
  | 'nul'
  | 'drive'
  | 'drive-relative'
  | 'name'
  | 'whole';

export interface UriFault {
  readonly fault: UriFaultCode;
  /** More than the table knows: what exactly is wrong with a name. */
  readonly detail?: string;
}

const reasons: { readonly [Code in UriFaultCode]: string } = {
  empty: 'it is empty',
  'too-long': `it is longer than ${longestPath} characters`,
  scheme: 'its scheme is not "file"',
  relative: 'it has no absolute path',
  host: 'it names another host',
  unc: 'it names a network share',
  slashes: 'its path begins with two slashes',
  query: 'it has a query; a question mark in a name is written %3F',
  fragment: 'it has a fragment; a number sign in a name is written %23',
  character: 'it contains a character that a URI must encode',
  escape: 'it has a broken percent-encoding',
  encoding: 'its percent-encoding is not UTF-8',
  separator: 'it hides a separator in a percent-encoding',
  'dot-segment': 'it contains "." or ".." segments',
  nul: 'it contains NUL',
  drive: 'it does not begin with a drive such as C:/',
  'drive-relative': 'its drive is not followed by a slash',
  name: 'it contains a name that the platform does not allow',
  whole: 'it grants a whole file system',
};

/** The rule in words that complete "Cannot read … as a file URI:". */
export function describeUriFault({ fault, detail }: UriFault): string {
  return detail ?? reasons[fault];
}
