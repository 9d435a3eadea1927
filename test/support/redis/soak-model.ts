/** What one client has announced, and which answers that allows. Times are of one clock, in milliseconds. */
export class RootsModel {
  readonly #changes: Change[];

  /** With the roots that it begins with. */
  constructor(first: string) {
    this.#changes = [{ name: first, begun: -Infinity, known: -Infinity }];
  }

  /** From now on the client lists others; returns what to call when the announcement was accepted. */
  change(name: string, now: number): (accepted: number) => void {
    const change: Change = { name, begun: now, known: Infinity };
    this.#changes.push(change);
    return (accepted) => (change.known = accepted);
  }

  /**
   * What a call may have met: nothing from before the last change that was accepted when it began, and nothing
   * that was announced only after its end. A change that was not accepted may have arrived or not.
   */
  allowed(begun: number, ended: number): ReadonlySet<string> {
    const last = this.#changes.findLastIndex(({ known }) => known < begun);
    return new Set(
      this.#changes
        .slice(Math.max(last, 0))
        .filter((change) => change.begun <= ended)
        .map(({ name }) => name),
    );
  }
}

interface Change {
  readonly name: string;
  readonly begun: number;
  /** When the client had its 202. */
  known: number;
}

/** When things were broken on purpose. Only then, and shortly afterwards, a client may see an error. */
export class Disturbances {
  readonly #windows: { readonly begun: number; ended: number }[] = [];
  readonly #grace: number;

  constructor(grace = 2_000) {
    this.#grace = grace;
  }

  /** Something breaks now; returns what to call when it is whole again. */
  begin(now: number): (ended: number) => void {
    const window = { begun: now, ended: Infinity };
    this.#windows.push(window);
    return (ended) => (window.ended = ended);
  }

  /** Whether something that took that long has met one. */
  meet(begun: number, ended: number): boolean {
    return this.#windows.some((window) => window.begun <= ended && begun <= window.ended + this.#grace);
  }
}

/** What was asked to be done once, and what became of it. */
export class Effects {
  readonly #asked = new Map<string, 'unknown' | 'done'>();

  ask(name: string): () => void {
    this.#asked.set(name, 'unknown');
    return () => this.#asked.set(name, 'done');
  }

  /** What is wrong with what was found in the end. */
  faults(found: readonly string[]): readonly string[] {
    const times = new Map<string, number>();
    for (const name of found) times.set(name, (times.get(name) ?? 0) + 1);
    const lost = [...this.#asked].filter(([name, state]) => state === 'done' && !times.has(name));
    const twice = [...times].filter(([, count]) => count > 1);
    const foreign = [...times].filter(([name]) => !this.#asked.has(name));
    return [
      ...lost.map(([name]) => `${name} was done and is lost`),
      ...twice.map(([name, count]) => `${name} was done ${count} times`),
      ...foreign.map(([name]) => `${name} was done without a request`),
    ];
  }
}
