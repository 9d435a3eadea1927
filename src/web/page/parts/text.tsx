import type { JSX } from 'preact';
import { plainText, shorten, splitText } from './split-text.ts';

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
    <bdi class={name} title={of.length > 60 ? plainText(shorten(of, 2_000)) : undefined}>
      {splitText(shown).map(({ text, odd }) => (odd ? <span class="odd">{text}</span> : text))}
    </bdi>
  );
}
