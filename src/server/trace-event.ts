import type { ErrorCode } from '../errors.ts';
import type { RootsAnswer } from '../workspace/roots-answer.ts';
import type { SourceName } from '../workspace/source-name.ts';

/** One step of an attached server, for a log that explains it later. Says nothing that a refusal would hide. */
export type TraceEvent =
  | { readonly kind: 'opened'; readonly overHttp: boolean }
  | { readonly kind: 'initialized'; readonly client: string | undefined; readonly roots: boolean }
  /** The client announced a change of its roots. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'answered';
      readonly state: RootsAnswer['state'];
      readonly roots: number;
      readonly reason?: string;
    }
  | {
      readonly kind: 'composed';
      readonly project: string | undefined;
      readonly source: SourceName | undefined;
      readonly roots: readonly string[];
      readonly why: string;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'closed' };

export type Trace = (event: TraceEvent) => void;
