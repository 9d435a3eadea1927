import { toFileUri } from '../../path/file-uri.ts';
import { deceptive } from '../../base/quote.ts';

/** What nearly every name is made of. */
const ordinary = /^[ -~]*$/;

/**
 * Characters that cannot be seen and are a part of how people write: what joins emoji, and what joins or parts the
 * letters of scripts that need it.
 */
const joining =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;

/**
 * Whether a name can stand in a line as it is: it takes up one line, and everything in it can be seen. A name that
 * turns the line around, hides a part of itself or moves the cursor would lie to whoever reads it.
 */
export function isOneLine(name: string): boolean {
  return ordinary.test(name) || name.replaceAll(joining, '').search(deceptive) === -1;
}

/** A path for a line of its own: as it is shown, or where that would lie as a URI, which every tool takes. */
export function oneLinePath(absolute: string, shown: string = absolute): string {
  return isOneLine(shown) ? shown : toFileUri(absolute);
}
