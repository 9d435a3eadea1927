import type { ErrorCode } from '../../errors.ts';
import type { TrailStep } from '../../workspace/chain/resolution.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { SourceName } from '../../workspace/sources/all-sources.ts';
import type { Connection } from '../connection/connection.ts';

/** One step of an attached server, for a log. It contains nothing that a refusal would hide. */
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
      /** Their paths, in the same order. */
      readonly places?: readonly string[];
      readonly why: string;
      readonly location?: string;
      /** Every source that was asked. */
      readonly trail?: readonly TrailStep[];
      /** The reason that there is no project, and the remedy. */
      readonly refusal?: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
      /** The client of the call; from 2026-07-28 on every request names it. */
      readonly who?: ClientIdentity;
      readonly capabilities?: Readonly<Record<string, unknown>>;
    }
  /** Something that a person should know; the call went on without it. */
  | { readonly kind: 'warned'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'closed' };

/** The connection on which a step happened. */
export type TracedConnection = Pick<
  Connection,
  'memory' | 'modern' | 'overHttp' | 'sessionId' | 'client' | 'capabilities'
>;

export type Trace = (event: TraceEvent, connection?: TracedConnection) => void;
