import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NumberedEntry } from '../../wire/wire.ts';
import { everything } from '../live/model.ts';
import { useModel } from '../live/use-model.ts';
import { Empty } from '../parts/empty.tsx';
import { counted } from '../parts/format.tsx';
import { Icon } from '../parts/icon.tsx';
import { displayedText } from '../parts/text.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { useAudit } from './audit-reader.ts';
import { AuditRow } from './audit-row.tsx';
import { Plot } from './plot.tsx';

export function AuditScreen(): JSX.Element {
  const { about, filter, api } = useModel();
  const [opened, setOpened] = useState<NumberedEntry>();
  const [ups, setUps] = useState(0);
  const narrow = useNarrow();
  const { reading, entryAt, needs, paused, setPaused, setAtTop, fresh } = useAudit(filter.value);
  const { page, plot, names } = reading ?? {};
  const isFiltered = Object.values(filter.value).some((value) => value !== '');
  const query = new URLSearchParams(filter.value);
  // Exports the entries that are shown, even if newer ones have come.
  if (page !== undefined) query.set('upto', String(page.upto));
  const goUp = (): void => {
    setPaused(false);
    setUps(ups + 1);
  };
  return (
    <section class="view">
      <header class="head">
        <div>
          <h1>Audit</h1>
          <p class="lead">Every decision of your servers, as it happens.</p>
        </div>
        <div class="head-actions">
          <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Resume' : 'Pause'}
          </button>
          <a
            class="button"
            href={api.url(`/api/audit/export?${query.toString()}`)}
            download="rootward-audit.jsonl"
          >
            <Icon name="save" /> Export
          </a>
        </div>
      </header>
      <Plot plot={plot} />
      <AuditFilters names={names} />
      <div class="audit-count">
        <span class="count" role="status">
          {page === undefined ? 'Reading the log…' : counted(page.total, 'entry', 'entries')}
          {paused && page !== undefined ? ', paused' : ''}
        </span>
        {page !== undefined && page.skipped > 0 ? (
          <span class="hint">{counted(page.skipped, 'line')} of the log could not be read</span>
        ) : null}
        {fresh ? (
          <button type="button" class="fresh" onClick={goUp}>
            New entries
          </button>
        ) : null}
      </div>
      {page?.total === 0 ? <NoEntries isFiltered={isFiltered} log={about.value?.log ?? ''} /> : null}
      <VirtualList
        label="Decisions"
        count={page?.total ?? 0}
        rowHeight={narrow ? 76 : 56}
        onWindow={needs}
        onTop={setAtTop}
        topKey={`${ups} ${JSON.stringify(filter.value)}`}
        row={(index) => <AuditRow entry={entryAt(index)} onOpen={setOpened} />}
      />
      {opened === undefined ? null : <AuditDetail entry={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function NoEntries({ isFiltered, log }: { readonly isFiltered: boolean; readonly log: string }): JSX.Element {
  const { filter } = useModel();
  if (isFiltered) {
    const clear = (): void => void (filter.value = everything);
    return (
      <p class="none">
        No entry matches.{' '}
        <button type="button" class="link" onClick={clear}>
          Clear all filters
        </button>
      </p>
    );
  }
  return (
    <Empty icon="audit" title="Nothing has been decided yet">
      <p>
        As soon as a server reads, writes or is refused something, it appears here, with the rule that
        decided. Connect a client under <a href="#connections">Connections</a>, or see under{' '}
        <a href="#try">Try it</a> what would be decided.
      </p>
      <p class="hint">
        The log is a file with one line of JSON per entry, in <code>{displayedText(log)}</code>
      </p>
    </Empty>
  );
}
