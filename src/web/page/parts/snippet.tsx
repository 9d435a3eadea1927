import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { displayedText } from './text.tsx';

export interface SnippetProps {
  readonly text: string;
  readonly label: string;
}

/** A text to copy with one click. */
export function Snippet({ text, label }: SnippetProps): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Without permission the text can still be selected and copied by hand.
      () => setCopied(false),
    );
  return (
    <div class="snippet">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text.split('\n').map((line) => `${displayedText(line)}\n`)}</code>
      </pre>
      <button type="button" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
