import { type MountTable, readMountTable } from '../../boundary/system/mount-table.ts';

/** What is mounted, read once for many who ask, and anew when that may be wrong. */
export class WatchMounts {
  readonly #load: () => Promise<MountTable>;
  #table: Promise<MountTable> | undefined;
  #checked: string | undefined;

  constructor(load: () => Promise<MountTable> = () => readMountTable()) {
    this.#load = load;
  }

  read(fresh: boolean): Promise<MountTable> {
    if (fresh || this.#table === undefined) this.#table = this.#load();
    return this.#table;
  }

  /** The table, if it is another than at the last call; always where it has no revision. */
  async readChanged(): Promise<MountTable | undefined> {
    const table = await this.read(true);
    if (table.revision !== undefined && table.revision === this.#checked) return undefined;
    this.#checked = table.revision;
    return table;
  }
}
