import type { AuditSink } from '../../audit/sink.ts';
import type { Root } from '../../path/root.ts';
import type { RootStore } from '../store/root-store.ts';
import type { StoredRoot } from '../store/stored-root.ts';
import type { AskExposure } from './roots-consent.ts';
import type { ServerDescription, TrustTier } from './server-identity.ts';

/** Knows which roots can be used right now, such as `watchRoots`. */
export interface RootAvailability {
  isUsable(root: Root): boolean;
  subscribe(listener: () => void): () => void;
}

export interface ExposeOptions {
  /** Whom the client is connected to, as the host knows it. */
  readonly server: ServerDescription;
  /** Puts the question to a person. Without it nobody is asked. */
  readonly ask?: AskExposure;
  /** Tiers whose servers are asked about; `loopback` and `remote` by default. */
  readonly askFor?: readonly TrustTier[];
  /** Milliseconds that a person may think; two minutes by default. */
  readonly patience?: number;
  /** What a remote server gets without a grant: `none`, the default, or `redacted`, names without places. */
  readonly remote?: 'none' | 'redacted';
  /** What a server gets that is refused every root: `empty`, the default, or `error`. */
  readonly refused?: 'empty' | 'error';
  /** Where the server finds a root, if that is elsewhere than here, as in a container. */
  readonly mapUri?: (root: StoredRoot) => string;
  /**
   * The server is a Rootward server. A remote one is told the globs that are denied only then: they name what is
   * in a root, and only a Rootward server enforces them. Others are told them anyway.
   */
  readonly rootward?: boolean;
  readonly availability?: RootAvailability;
  /** Where exposures, answers and refusals are recorded. The sink stays the caller's. */
  readonly audit?: AuditSink;
  /** Milliseconds within which a request is answered, whatever happens; 3 seconds by default. */
  readonly timeout?: number;
  /** Milliseconds over which changes become one notification; 50 by default. */
  readonly debounce?: number;
  /** Told of what goes wrong where nobody waits: a notification that could not be sent or recorded. */
  readonly onError?: (error: unknown) => void;
  readonly now?: () => Date;
}

/** What is needed of a store. */
export type ExposedStore = Pick<RootStore, 'snapshot' | 'subscribe' | 'remember'>;
