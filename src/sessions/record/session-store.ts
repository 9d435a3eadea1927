import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';

/** What is known of a session when it begins. */
export interface SessionStart {
  /** Unguessable, visible ASCII. */
  readonly id: string;
  /** Whose token opened it; nobody else may use it. */
  readonly principal: string;
  /** What was agreed on in `initialize`. */
  readonly protocolVersion: string;
  /** The parameters of `initialize`, as they were sent: client, capabilities, and whatever else was in them. */
  readonly initialize: unknown;
}

/** What outlives a request over HTTP, as a snapshot: a change makes another record. */
export interface SessionRecord extends SessionStart {
  /** Goes up with every change of roots that the client announces. */
  readonly generation: number;
  readonly answer: RootsAnswer;
  /** The generation that was asked about; less than `generation` means that the answer is out of date. */
  readonly answered: number;
  /** The last list that could be read. */
  readonly listed?: readonly Root[];
  readonly switched?: ProjectSwitch;
  /** A request that was given to `touch` had been given to it before. */
  readonly repeated?: true;
}

/** What `switch_project` chose. */
export interface ProjectSwitch {
  readonly text: string;
  /** A person was asked whether this may be reached, and said yes. */
  readonly consented?: boolean;
}

/** A message on its way to the node that waits for it. Who sends it is what the sender's node has checked. */
export interface Envelope {
  readonly session: string;
  readonly principal: string;
  readonly message: unknown;
}

/** From 0 to 4095, at random: tells a request from its repetition, if somebody takes one of them back. */
export type ArrivalMark = number;

/** `refused`: the node is there and does not want it. Where delivery is one-way, that is not known. */
export type DeliveryResult = 'accepted' | 'refused' | 'no-node';

/** One answer under way as a stream of events, and who writes it. */
export interface StreamStart {
  readonly session: string;
  /** Of the request that is being answered. */
  readonly request: string | number;
}

/** What a client that lost a stream may be told. */
export interface StreamState extends StreamStart {
  /** The node that writes it. */
  readonly node: string;
  /** Whether that node is still there, and nobody has closed it. */
  readonly open: boolean;
  /** Somebody has closed it: its client was told that nobody knows. */
  readonly closed: boolean;
}

/**
 * Where sessions are kept, in this process or elsewhere. Each method is one round trip at most.
 *
 * A store that cannot be reached throws `SESSIONS_UNAVAILABLE` within a bound of its own; it never hangs.
 */
export interface SessionStore {
  /** Random, new with each start of a process: two processes never share one. */
  readonly nodeId: string;
  /** Whether other nodes may have it too: then what is delivered goes over a network, and can be lost. */
  readonly shared: boolean;
  /** The first record; `undefined` where there is no room for another session. */
  create(start: SessionStart): Promise<SessionRecord | undefined>;
  /**
   * The record, and a longer life for it. Life is prolonged when half of it is over, so a session that is
   * silent for the whole idle time is gone, and one that is used at least every half of it stays.
   *
   * `requests` must not be served twice: the record says if one of them came within the last minute, whichever
   * node it came to. Where this throws, they count as not come.
   */
  touch(id: string, requests?: readonly string[], arrival?: ArrivalMark): Promise<SessionRecord | undefined>;
  /** Requests of this arrival were not served after all: they may come again. */
  forget(id: string, requests: readonly string[], arrival: ArrivalMark): Promise<void>;
  /** Keeps an answer unless the roots changed since that generation; says whether it was kept. */
  keepAnswer(id: string, generation: number, answer: RootsAnswer): Promise<boolean>;
  /** The client announced a change. Returns when no node can take the old answer for the current one. */
  invalidate(id: string): Promise<number | undefined>;
  /** Remembers what was switched to, or forgets it; false if there is no such session. */
  keepSwitched(id: string, switched: ProjectSwitch | undefined): Promise<boolean>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  deliver(nodeId: string, envelope: Envelope): Promise<DeliveryResult>;
  /** To every other node, where nobody knows which one it concerns. */
  announce(envelope: Envelope): Promise<void>;
  /** Listens for what is delivered to this node; the listener says whether it wanted it. Returns how to stop. */
  onDeliver(listener: (envelope: Envelope) => boolean): () => void;
  /**
   * The id of a stream, which is also that of its first event, the empty one. It costs nothing: the id says by
   * itself which node answers which request, sealed, so that nobody can make one up.
   */
  openStream(start: StreamStart): string;
  /** True for exactly one caller: whoever declares its node lost. */
  closeStream(stream: string): Promise<boolean>;
  /** What became of a stream; `undefined` if nobody opened it. */
  lookup(stream: string): Promise<StreamState | undefined>;
  /** How many sessions there are, about. */
  count(): Promise<number>;
  /** A digest that every node of this store makes alike, and nobody else can make. */
  digest(...parts: readonly string[]): string;
  isDigest(digest: string, ...parts: readonly string[]): boolean;
  /** Whether it could be reached a moment ago. */
  available(): boolean;
  close(): Promise<void>;
}
