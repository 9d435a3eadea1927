/** One measured comparison: ours against a peer or a physical limit, in the same run. */
export interface Measurement {
  readonly name: string;
  /** What it is compared with. */
  readonly against: string;
  /** Ours per operation: nanoseconds unless `unit` says otherwise. */
  readonly ours: number;
  /** Theirs. */
  readonly theirs: number;
  readonly unit?: Unit;
  readonly target: Target;
}

/** What the numbers count. */
export type Unit = 'ns' | 'bytes' | 'requests';

/** `faster`: theirs ÷ ours must be at least the factor. `within`: ours ÷ theirs must be at most the factor. */
export interface Target {
  readonly kind: 'faster' | 'within';
  readonly factor: number;
}

export interface Suite {
  readonly name: string;
  run(): Promise<readonly Measurement[]>;
}

/** The ratio in the direction of the target. */
export function ratioOf({ ours, theirs, target }: Measurement): number {
  return target.kind === 'faster' ? theirs / ours : ours / theirs;
}

export function isMet(measurement: Measurement): boolean {
  const ratio = ratioOf(measurement);
  const { kind, factor } = measurement.target;
  return kind === 'faster' ? ratio >= factor : ratio <= factor;
}
