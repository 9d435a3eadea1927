import { isDeepStrictEqual } from 'node:util';
import { editJsonc } from '../../config/edit-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { byteOrderMark, type ParsedStore, parseStore, type StoreContext } from './parse-store.ts';
import type { StoreChange } from './store-changes.ts';
import { currentVersion, newStore, type StoreDocument } from './store-document.ts';
import { readStore, type FileRewrite, rewriteStore, type StorePlace, versionOf } from './store-file.ts';
import type { StoreSnapshot } from './stored-root.ts';
import { type StoreStep, UndoHistory, undoIn } from './undo-history.ts';

/** An event of a store. */
export interface StoreEvent {
  readonly snapshot: StoreSnapshot;
  /** `here`: through this store. `elsewhere`: by another process, or by hand. */
  readonly by: 'here' | 'elsewhere';
  /** The fault of the file, if any; the snapshot is then the last readable one. */
  readonly damage: RootwardError | undefined;
  /** Whether the content changed without a new revision, as when a person edits the file. */
  readonly edited: boolean;
}

export interface CoreOptions {
  readonly place: StorePlace;
  readonly context: StoreContext;
  /** Milliseconds to wait for the lock. */
  readonly timeout: number;
  readonly onEvent: (event: StoreEvent) => void;
}

/** Milliseconds for which an unreadable file may simply be in the middle of being saved. */
const savingTakes = 150;

/**
 * The state of one open store: the content of the file when it was last readable. Changes and looks at the file run one
 * at a time.
 */
export class StoreCore {
  readonly #options: CoreOptions;
  readonly #history = new UndoHistory();
  /** The text on disk; `undefined` if there is no file. */
  #text: string | undefined;
  /** Version of the file when that text was read, if known. */
  #version: string | undefined;
  #parsed: ParsedStore;
  #damage: RootwardError | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** A look that has not begun. */
  #nextLook: Promise<void> | undefined;
  #settling: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  private constructor(options: CoreOptions, text: string | undefined) {
    this.#options = options;
    this.#text = text;
    this.#parsed = parseStore(text ?? newStore, options.context);
  }

  /** @throws {RootwardError} `STORE_DAMAGED`, `STORE_TOO_NEW` */
  static async open(options: CoreOptions): Promise<StoreCore> {
    const text = await readStore(options.place);
    try {
      return new StoreCore(options, text);
    } catch (error) {
      if (!RootwardError.is(error, 'STORE_DAMAGED')) throw error;
      // An editor may be saving it right now.
      await new Promise((resolve) => setTimeout(resolve, savingTakes));
      return new StoreCore(options, await readStore(options.place));
    }
  }

  get snapshot(): StoreSnapshot {
    return this.#parsed.snapshot;
  }

  get damage(): RootwardError | undefined {
    return this.#damage;
  }

  /** Makes a change and writes it; returns the step, or `undefined` if nothing changed. */
  change(change: StoreChange): Promise<StoreStep | undefined> {
    return this.#inTurn(async () => {
      const step = await this.#commit((current) => ({ document: change(current, this.#options.context) }));
      if (step !== undefined) this.#history.push(step);
      return step;
    });
  }

  /** Undoes the latest change made through this store. */
  undo(): Promise<StoreStep | undefined> {
    return this.#inTurn(async () => {
      const { last } = this.#history;
      if (last === undefined)
        throw new RootwardError('CANNOT_UNDO', { reason: 'there is no change to undo' });
      let isWhole = false;
      const step = await this.#commit((current) => {
        const wanted = undoIn(current, last);
        isWhole = wanted.text !== undefined;
        return wanted;
      });
      this.#history.drop(isWhole ? step?.after : undefined);
      return step;
    });
  }

  /** Looks at the file, once for many calls. */
  look(): Promise<void> {
    this.#nextLook ??= this.#inTurn(() => {
      this.#nextLook = undefined;
      return this.#look(false);
    });
    return this.#nextLook;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#settling);
    await this.#last;
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#closing.signal.aborted) {
      return Promise.reject(new RootwardError('CLOSED', { root: this.#options.place.name }));
    }
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #commit(decide: (current: ParsedStore) => WantedStore): Promise<StoreStep | undefined> {
    const { place, timeout } = this.#options;
    let made: StoreStep | undefined;
    const rewrite = (text: string | undefined): FileRewrite | undefined => {
      const before = this.#read(text);
      const after = this.#apply(before, decide(before));
      made = after && { before, after };
      if (after === undefined) return undefined;
      const isOld = before.version < currentVersion;
      return { text: after.text, ...(isOld ? { backup: `${place.name}.v${before.version}.bak` } : {}) };
    };
    await rewriteStore(place, rewrite, { timeout });
    if (made !== undefined) this.#adopt(made.after.text, made.after, 'here');
    return made;
  }

  /** Parses the text on disk, unless it is the known one. */
  #read(text: string | undefined): ParsedStore {
    if (text === this.#text) return this.#parsed;
    return parseStore(text ?? newStore, this.#options.context, this.#parsed.known);
  }

  #apply(before: ParsedStore, wanted: WantedStore): ParsedStore | undefined {
    if (isDeepStrictEqual(wanted.document, before.document)) return undefined;
    const revision = Math.max(before.snapshot.revision, this.snapshot.revision) + 1;
    const document = { ...wanted.document, version: currentVersion, revision };
    const base = wanted.text === undefined ? before : parseStore(wanted.text, this.#options.context);
    const text = render(base, document);
    const after = parseStore(text, this.#options.context, before.known);
    // Guards against a bug in our editing: text with another meaning must not reach the disk.
    if (!isDeepStrictEqual(after.document, document)) throw new Error('the file could not be edited');
    return { ...after, document };
  }

  async #look(isLast: boolean): Promise<void> {
    try {
      // Read before the text: a write in between then makes another version.
      const version = await versionOf(this.#options.place);
      if (version !== undefined && version === this.#version && this.#damage === undefined) return;
      const text = await readStore(this.#options.place);
      this.#version = text === this.#text ? version : undefined;
      if (text === this.#text && this.#damage === undefined) return;
      if (text === undefined && !isLast) return this.#lookAgain();
      this.#adopt(text, this.#read(text), 'elsewhere');
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
      if (!isLast) return this.#lookAgain();
      this.#report(error);
    }
  }

  /** Looks again shortly: a file that is gone, empty or cut off may be in the middle of being saved. */
  #lookAgain(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      void this.#inTurn(() => this.#look(true)).catch(() => {});
    }, savingTakes).unref();
  }

  #report(damage: RootwardError): void {
    if (this.#damage?.message === damage.message) return;
    this.#damage = damage;
    this.#options.onEvent({ snapshot: this.snapshot, by: 'elsewhere', damage, edited: false });
  }

  #adopt(text: string | undefined, parsed: ParsedStore, by: StoreEvent['by']): void {
    const { snapshot: before } = this;
    const wasDamaged = this.#damage !== undefined;
    const { roots, servers, revision } = parsed.snapshot;
    const isSame = isDeepStrictEqual([roots, servers], [before.roots, before.servers]);
    const edited = !isSame && revision <= before.revision;
    const atLeast = isSame ? before.revision : before.revision + 1;
    const snapshot = { ...parsed.snapshot, revision: Math.max(revision, atLeast) };
    this.#text = text;
    this.#parsed = { ...parsed, snapshot };
    this.#damage = undefined;
    if (!isSame || wasDamaged) this.#options.onEvent({ snapshot, by, damage: undefined, edited });
  }
}

/** The content to write. If a text is given, it is edited instead of the current one. */
interface WantedStore {
  readonly document: StoreDocument;
  readonly text?: string;
}

function render({ text, jsonc }: ParsedStore, document: StoreDocument): string {
  const [mark, body] = text.startsWith(byteOrderMark) ? [byteOrderMark, text.slice(1)] : ['', text];
  return mark + editJsonc(body, jsonc, document);
}
