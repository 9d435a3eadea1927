import { isFileUri, parseFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/expand-home.ts';

/**
 * A place as somebody typed or dropped it: a path, one from the home, or a file URI.
 *
 * @throws {RootwardError} `INVALID_URI`
 */
export function readPlace(typed: string): string {
  const text = typed.trim();
  return isFileUri(text) ? parseFileUri(text) : expandHome(text);
}
