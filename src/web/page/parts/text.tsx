import type { JSX } from 'preact';
import { deceptive, shorten } from '../../../base/quote.ts';

export interface TextProps {
  readonly of: string;
  /** Characters; a longer text loses its middle. */
  readonly most?: number;
  readonly class?: string;
}

/** Text from outside: never markup, and nothing in it hides or turns around. */
export function Text({ of, most = 320, class: name }: TextProps): JSX.Element {
  const shown = shorten(of, most);
  return (
    <bdi class={name} title={of.length > 60 ? displayedText(shorten(of, 2_000)) : undefined}>
      {splitText(shown).map(({ text, odd }) => (odd ? <span class="odd">{text}</span> : text))}
    </bdi>
  );
}

/** A part of a text as it is shown: as it is, or the name of a character that cannot be seen. */
export interface DisplayedPart {
  readonly text: string;
  readonly odd: boolean;
}

/** Splits a text from outside, so that whatever lies in it can be seen. */
export function splitText(text: string): readonly DisplayedPart[] {
  const parts: DisplayedPart[] = [];
  let from = 0;
  for (const match of text.matchAll(deceptive)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), odd: false });
    parts.push({ text: nameOf(match[0]), odd: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), odd: false });
  return parts;
}

/** The same as plain text, for labels that are only heard. */
export function displayedText(text: string): string {
  return splitText(text)
    .map((part) => part.text)
    .join('');
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
