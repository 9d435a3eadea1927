import { attempt } from '../../audit/create-entry.ts';
import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import { RootwardError } from '../../errors.ts';

export interface ChangeLogOptions {
  readonly audit?: AuditSink;
  readonly caller?: string;
  readonly now?: () => Date;
  /** Returns the current revision of the store. */
  readonly revision: () => number;
}

/** The subject of a change. */
export interface ChangedRoot {
  readonly path: string;
  readonly root: { readonly name: string } | undefined;
}

/** Records the changes to a store. */
export interface ChangeLog {
  /** Runs a change and records its outcome. A change that cannot be recorded is not begun. */
  around<Result>(verb: string, changed: ChangedRoot, run: () => Promise<Result>): Promise<Result>;
  /** Records that a root was not added, with the reason. */
  recordRefusal(path: string, reason: string): Promise<void>;
  /** Records that a person edited the file. */
  recordEdit(file: string): void;
}

export function createChangeLog(options: ChangeLogOptions): ChangeLog {
  const { audit, caller, now = () => new Date(), revision } = options;
  const record = async (about: ChangeEntry): Promise<void> =>
    audit?.record({
      time: now().toISOString(),
      ...(caller === undefined ? {} : { caller }),
      event: 'change',
      operation: 'write',
      verdict: 'allow',
      revision: revision(),
      ...about,
    });
  return {
    async around(verb, { path, root }, run) {
      const started = performance.now();
      const about = { path, rule: `store:${verb}`, ...(root === undefined ? {} : { root: root.name }) };
      await audit?.ready?.();
      const ended = await attempt(run);
      const duration = performance.now() - started;
      if ('result' in ended) {
        await record({ ...about, outcome: 'done', duration });
        return ended.result;
      }
      const code = RootwardError.is(ended.error) ? ended.error.code : 'INTERNAL';
      await record({ ...about, outcome: 'failed', code, duration });
      throw ended.error;
    },
    recordRefusal: (path, reason) =>
      record({
        path,
        event: 'refusal',
        verdict: 'deny',
        rule: 'store:add',
        reason,
        outcome: 'refused',
        duration: 0,
      }),
    recordEdit(file) {
      // The edit has already happened, so a failure to record it is only a warning.
      record({ path: file, rule: 'store:edited', outcome: 'done', duration: 0 }).catch((error: unknown) =>
        process.emitWarning(String(error), 'RootStoreWarning'),
      );
    },
  };
}

type ChangeEntry = Pick<AuditEntry, 'path' | 'root' | 'rule' | 'outcome' | 'code' | 'duration'> &
  Partial<Pick<AuditEntry, 'event' | 'verdict' | 'reason'>>;
