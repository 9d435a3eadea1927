import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { displayedText } from './text.tsx';

export interface SnippetProps {
  readonly text: string;
  readonly label: string;
}

/** Something to put elsewhere: shown, and copied with one click. */
export function Snippet({ text, label }: SnippetProps): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Without the permission it can still be marked and copied by hand.
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
