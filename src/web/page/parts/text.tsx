import type { JSX } from 'preact';
import { deceptive, shorten } from '../../../base/quote.ts';

export interface TextProps {
  readonly of: string;
  /** Maximum number of characters; a longer text is shortened in the middle. */
  readonly most?: number;
  readonly class?: string;
}

/** Shows untrusted text: never as markup, with invisible characters named, and without bidirectional effects. */
export function Text({ of, most = 320, class: name }: TextProps): JSX.Element {
  const shown = shorten(of, most);
  return (
    <bdi class={name} title={of.length > 60 ? displayedText(shorten(of, 2_000)) : undefined}>
      {splitText(shown).map(({ text, odd }) => (odd ? <span class="odd">{text}</span> : text))}
    </bdi>
  );
}

/** A part of a displayed text: literal, or the name of an invisible character. */
export interface DisplayedPart {
  readonly text: string;
  readonly odd: boolean;
}

/** Splits untrusted text so that every character in it can be seen. */
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

/** The same as plain text, for labels that screen readers speak. */
export function displayedText(text: string): string {
  return splitText(text)
    .map((part) => part.text)
    .join('');
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
