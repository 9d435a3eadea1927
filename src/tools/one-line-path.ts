import { toFileUri } from '../path/file-uri.ts';

/** What ends a line or moves the cursor: in a listing, a name with it would seem to be several. */
const breaking = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;

/** Whether a name takes up one line. */
export function isOneLine(name: string): boolean {
  return !breaking.test(name);
}

/** A path for a line of its own: as it is shown, or where that would break the line as a URI, which every tool takes. */
export function oneLinePath(absolute: string, shown: string = absolute): string {
  return isOneLine(shown) ? shown : toFileUri(absolute);
}
