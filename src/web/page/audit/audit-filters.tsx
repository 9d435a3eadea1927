import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditNames } from '../../wire/wire.ts';
import type { FilterFields } from '../live/model.ts';
import { useModel } from '../live/use-model.ts';
import { shorten } from '../../../base/quote.ts';
import { displayedText } from '../parts/text.tsx';
import { operationNames } from '../roots/permission-switch.tsx';
import { verdictNames } from './audit-row.tsx';

type Option = readonly [value: string, name: string];

const operations: readonly Option[] = [
  ...Object.keys(operationNames),
  'exposure',
  'refusal',
  'withdrawal',
  'grant',
  'change',
  'look',
  'call',
].map((name) => [name, name]);
const verdicts: readonly Option[] = Object.entries(verdictNames);

/** Maximum length of a name, because a client can choose any. */
const longest = 40;

/** The filters. They are kept while another view is open. */
export function AuditFilters({ names }: { readonly names: AuditNames | undefined }): JSX.Element {
  const { filter } = useModel();
  const { caller, root, operation, verdict } = filter.value;
  const change = (part: Partial<FilterFields>): void => {
    filter.value = { ...filter.peek(), ...part };
  };
  const options = (list: readonly string[] = []): readonly Option[] =>
    list.map((name) => [name, displayedText(shorten(name, longest))]);
  return (
    <div class="tools" role="search">
      <SearchField onChange={(text) => change({ text })} />
      <Choice
        label="Client"
        value={caller}
        options={options(names?.callers)}
        onChange={(value) => change({ caller: value })}
      />
      <Choice
        label="Root"
        value={root}
        options={options(names?.roots)}
        onChange={(value) => change({ root: value })}
      />
      <Choice
        label="Operation"
        value={operation}
        options={operations}
        onChange={(value) => change({ operation: value })}
      />
      <Choice
        label="Verdict"
        value={verdict}
        options={verdicts}
        onChange={(value) => change({ verdict: value })}
      />
    </div>
  );
}

function SearchField({ onChange }: { readonly onChange: (text: string) => void }): JSX.Element {
  const kept = useModel().filter.value.text;
  const [text, setText] = useState(kept);
  const latest = useRef(() => {});
  latest.current = () => {
    if (text !== kept) onChange(text);
  };
  useEffect(() => setText(kept), [kept]);
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), 200);
    return () => clearTimeout(timer);
  }, [text]);
  // Also apply the text if another view is opened right away.
  useEffect(() => () => latest.current(), []);
  return (
    <input
      type="search"
      placeholder="Search paths, rules, reasons"
      aria-label="Search"
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{label}: all</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
