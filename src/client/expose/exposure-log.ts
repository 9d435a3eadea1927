import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import type { StoredRoot } from '../store/stored-root.ts';
import type { RootExposure } from './exposure.ts';
import type { ConsentAnswer } from './roots-consent.ts';

export interface ExposureLogOptions {
  readonly audit: AuditSink | undefined;
  /** Name of the server. */
  readonly server: string;
  readonly now: () => Date;
  readonly revision: () => number;
}

/** Records which roots one server is shown, whenever that changes. */
export class ExposureLog {
  readonly #options: ExposureLogOptions;
  /** The last recorded state, by path. */
  readonly #recorded = new Map<string, RootExposure>();

  constructor(options: ExposureLogOptions) {
    this.#options = options;
  }

  /** @throws {RootwardError} `AUDIT_FAILED` if nothing can be recorded */
  async ready(): Promise<void> {
    await this.#options.audit?.ready?.();
  }

  /** Forgets the recorded state, because a new connection starts from nothing. */
  restart(): void {
    this.#recorded.clear();
  }

  /** Records the differences: roots that are shown, refused or withdrawn. */
  async record(exposures: readonly RootExposure[]): Promise<void> {
    const now = new Map(exposures.map((exposure) => [exposure.root.path, exposure]));
    const gone = [...this.#recorded.values()].filter(
      (exposure) => isShown(exposure) && !isShown(now.get(exposure.root.path)),
    );
    for (const { root } of gone) await this.#write('withdrawal', root, now.get(root.path) ?? removed);
    for (const exposure of exposures) {
      const before = this.#recorded.get(exposure.root.path);
      if (before?.state === exposure.state && before.rule === exposure.rule) continue;
      if (isShown(exposure)) await this.#write('exposure', exposure.root, exposure);
      else if (!isShown(before)) await this.#write('refusal', exposure.root, exposure);
    }
    this.#recorded.clear();
    for (const [path, exposure] of now) this.#recorded.set(path, exposure);
  }

  async recordAnswer(root: StoredRoot, answer: ConsentAnswer | 'dismissed'): Promise<void> {
    const isYes = answer !== 'never' && answer !== 'dismissed';
    await this.#write('grant', root, {
      state: isYes ? 'shown' : 'hidden',
      rule: `consent:${answer}`,
      reason: answer === 'dismissed' ? 'a person was asked and did not say yes' : `a person said ${answer}`,
    });
  }

  async #write(
    event: NonNullable<AuditEntry['event']>,
    root: StoredRoot,
    { state, rule, reason }: Pick<RootExposure, 'state' | 'rule' | 'reason'>,
  ): Promise<void> {
    const { audit, server, now, revision } = this.#options;
    const isAllowed = state === 'shown' || state === 'redacted';
    await audit?.record({
      time: now().toISOString(),
      caller: server,
      event,
      operation: 'list',
      path: root.path,
      root: root.name,
      verdict: isAllowed ? 'allow' : 'deny',
      rule,
      reason,
      outcome: isAllowed || event !== 'refusal' ? 'done' : 'refused',
      duration: 0,
      revision: revision(),
    });
  }
}

const removed = { state: 'hidden', rule: 'removed', reason: 'it was removed from the store' } as const;

function isShown(exposure: RootExposure | undefined): boolean {
  return exposure?.state === 'shown' || exposure?.state === 'redacted';
}
