import type { JSX } from 'preact';
import type { FindingView } from '../../wire/wire.ts';
import { Text } from './text.tsx';

/** Reasons against a root, each with a hint. */
export function Findings({ findings }: { readonly findings: readonly FindingView[] }): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ code, severity, message, hint }) => (
        <li key={`${code} ${message}`} class={severity}>
          <Text of={message} />
          <Text of={hint} class="hint" />
        </li>
      ))}
    </ul>
  );
}
