import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AuditNames, NumberedEntry } from '../wire.ts';
import { AuditDetail } from './audit-detail.tsx';
import { AuditRow } from './audit-row.tsx';
import { Empty } from './empty.tsx';
import { counted } from './format.ts';
import { Icon } from './icon.tsx';
import { Plot } from './plot.tsx';
import { operationNames } from './permission-switch.tsx';
import { plainText, shorten } from './split-text.ts';
import { useAudit } from './use-audit.ts';
import { useModel } from './use-model.ts';
import { VirtualList } from './virtual-list.tsx';

export type Filter = Readonly<Record<'caller' | 'root' | 'operation' | 'verdict' | 'text', string>>;

const everything: Filter = { caller: '', root: '', operation: '', verdict: '', text: '' };
const events = ['exposure', 'refusal', 'withdrawal', 'grant', 'change'];

export function AuditView(): JSX.Element {
  const { about } = useModel();
  const [filter, setFilter] = useState(everything);
  const [opened, setOpened] = useState<NumberedEntry>();
  const { page, plot, names, entryAt, needs, paused, setPaused, setAtTop, fresh } = useAudit(filter);
  const change = (part: Partial<Filter>): void => setFilter({ ...filter, ...part });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const query = new URLSearchParams(filter).toString();
  return (
    <section class="view">
      <header class="head">
        <div>
          <h1>Audit</h1>
          <p class="lead">Every decision of every server of yours, as it happens.</p>
        </div>
        <div class="head-actions">
          <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Go on' : 'Pause'}
          </button>
          <a class="button" href={`/api/audit/export?${query}`} download="rootward-audit.jsonl">
            <Icon name="save" /> Export
          </a>
        </div>
      </header>
      <Plot plot={plot} />
      <Filters filter={filter} names={names} onChange={change} />
      <div class="audit-count">
        <span class="count" role="status">
          {page === undefined ? 'Reading the log…' : counted(page.total, 'entry', 'entries')}
        </span>
        {page !== undefined && page.skipped > 0 ? (
          <span class="hint">{counted(page.skipped, 'line')} of the log could not be read</span>
        ) : null}
        {fresh ? (
          <button type="button" class="fresh" onClick={() => setPaused(false)}>
            New entries
          </button>
        ) : null}
      </div>
      {page?.total === 0 ? <NoEntries isFiltered={isFiltered} log={about.value?.log ?? ''} /> : null}
      <VirtualList
        label="Decisions"
        count={page?.total ?? 0}
        rowHeight={56}
        onWindow={needs}
        onTop={setAtTop}
        row={(index) => <AuditRow entry={entryAt(index)} onOpen={setOpened} />}
      />
      {opened === undefined ? null : <AuditDetail entry={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function NoEntries({ isFiltered, log }: { readonly isFiltered: boolean; readonly log: string }): JSX.Element {
  if (isFiltered) return <p class="none">No entry matches. Take a filter away to see more.</p>;
  return (
    <Empty icon="audit" title="Nothing has been decided yet">
      <p>
        As soon as a server reads, writes or is refused something, it stands here, with the rule that decided.
      </p>
      <p class="hint">
        The log itself is a file with one line of JSON each, in <code>{plainText(log)}</code>
      </p>
    </Empty>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  readonly names: AuditNames | undefined;
  readonly onChange: (part: Partial<Filter>) => void;
}

function Filters({ filter, names, onChange }: FiltersProps): JSX.Element {
  const [text, setText] = useState(filter.text);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== filter.text) onChange({ text });
    }, 200);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="tools" role="search">
      <input
        type="search"
        placeholder="Search paths, rules, reasons"
        aria-label="Search"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Choice
        label="Client"
        value={filter.caller}
        options={names?.callers ?? []}
        onChange={(caller) => onChange({ caller })}
      />
      <Choice
        label="Root"
        value={filter.root}
        options={names?.roots ?? []}
        onChange={(root) => onChange({ root })}
      />
      <Choice
        label="Operation"
        value={filter.operation}
        options={[...Object.keys(operationNames), ...events]}
        onChange={(operation) => onChange({ operation })}
      />
      <Choice
        label="Verdict"
        value={filter.verdict}
        options={['allow', 'deny', 'ask']}
        onChange={(verdict) => onChange({ verdict })}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{label}: all</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {plainText(shorten(option, 60))}
        </option>
      ))}
    </select>
  );
}
