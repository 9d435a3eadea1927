import type { AuditSink } from '../../audit/sink.ts';
import type { Root } from '../../path/root.ts';
import type { RootStore } from '../store/root-store.ts';
import type { StoredRoot } from '../store/stored-root.ts';
import type { AskExposure } from './roots-consent.ts';
import type { ServerDescription, TrustTier } from './server-identity.ts';

/** Knows which roots are usable right now; `watchRoots` returns one. */
export interface RootAvailability {
  isUsable(root: Root): boolean;
  subscribe(listener: () => void): () => void;
}

export interface ExposeOptions {
  /** The server of this client, as the host knows it. */
  readonly server: ServerDescription;
  /** Asks a person. Without it no question is asked. */
  readonly ask?: AskExposure;
  /** Trust tiers whose servers need a person's consent; `loopback` and `remote` by default. */
  readonly askFor?: readonly TrustTier[];
  /** Milliseconds a person has to answer; two minutes by default. */
  readonly patience?: number;
  /** Shown to a remote server without a grant: `none`, the default, or `redacted`, names without paths. */
  readonly remote?: 'none' | 'redacted';
  /** The answer to a server that may see no root: `empty`, the default, or `error`. */
  readonly refused?: 'empty' | 'error';
  /** Maps a root to the URI under which the server finds it, for example in a container. */
  readonly mapUri?: (root: StoredRoot) => string;
  /**
   * Set if the server is a Rootward server. A remote one learns the denied globs only then: globs reveal names within a
   * root, and only a Rootward server enforces them. Servers on this machine always get them.
   */
  readonly rootward?: boolean;
  /**
   * Which roots are usable. By default the roots are watched as long as they are exposed: one that vanishes is
   * withdrawn, and shown again when it is back. One `watchStore` can serve many clients. `false`: roots are shown
   * whether or not they exist on this machine.
   */
  readonly availability?: RootAvailability | false;
  /** Records exposures, answers and refusals. The caller closes the sink. */
  readonly audit?: AuditSink;
  /** Milliseconds within which every request is answered; 3 seconds by default. */
  readonly timeout?: number;
  /** Milliseconds over which changes are combined into one notification; 50 by default. */
  readonly debounce?: number;
  /** Called with errors outside of a request: a notification that could not be sent or recorded. */
  readonly onError?: (error: unknown) => void;
  readonly now?: () => Date;
}

/** The parts of a store that are needed here. */
export type ExposedStore = Pick<RootStore, 'snapshot' | 'subscribe' | 'remember'>;
