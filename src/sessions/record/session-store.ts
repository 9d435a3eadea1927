import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';

/** The facts of a session at its beginning. */
export interface SessionStart {
  /** Unguessable, visible ASCII. */
  readonly id: string;
  /** The holder of the token that opened the session; no other may use it. */
  readonly principal: string;
  /** The revision agreed on in `initialize`. */
  readonly protocolVersion: string;
  /** The parameters of `initialize` exactly as the client sent them. */
  readonly initialize: unknown;
}

/** An immutable snapshot of a session, the state that outlives one HTTP request. A change makes a new record. */
export interface SessionRecord extends SessionStart {
  /** Incremented whenever the client announces a change of its roots. */
  readonly generation: number;
  readonly answer: RootsAnswer;
  /** The generation that the client was asked in; less than `generation` means that the answer is out of date. */
  readonly answered: number;
  /** The last list that could be read. */
  readonly listed?: readonly Root[];
  readonly switched?: ProjectSwitch;
  /** Set if a request given to `touch` had been seen before. */
  readonly repeated?: true;
}

/** The project that `switch_project` chose. */
export interface ProjectSwitch {
  readonly text: string;
  /** A person was asked to allow this project and agreed. */
  readonly consented?: boolean;
}

/** A message for the node that waits for it. The sending node has already checked its sender. */
export interface Envelope {
  readonly session: string;
  readonly principal: string;
  readonly message: unknown;
}

/** Random, 0 to 4095. Tells two arrivals of the same request apart when one of them is taken back. */
export type ArrivalMark = number;

/** `refused`: the node exists and did not want the message. A store with one-way delivery never reports it. */
export type DeliveryResult = 'accepted' | 'refused' | 'no-node';

/** One answer that is sent as a stream of events. */
export interface StreamStart {
  readonly session: string;
  /** Id of the request that the stream answers. */
  readonly request: string | number;
}

/** The state of a stream, for a client that lost it. */
export interface StreamState extends StreamStart {
  /** The node that writes it. */
  readonly node: string;
  /** Whether the node is alive and the stream has not been closed. */
  readonly open: boolean;
  /** The stream was closed: its client was told that the outcome is unknown. */
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
  /** Whether other nodes share it. Deliveries then cross a network and can be lost. */
  readonly shared: boolean;
  /** Creates a session; `undefined` if the store is full. */
  create(start: SessionStart): Promise<SessionRecord | undefined>;
  /**
   * Returns the record and prolongs the session. A session is prolonged when half of its idle time is over, so one
   * that is used at least that often stays. The record has `repeated` if one of `requests` arrived within the last
   * minute at any node; such a request must not run again. If this throws, the requests count as not arrived.
   */
  touch(id: string, requests?: readonly string[], arrival?: ArrivalMark): Promise<SessionRecord | undefined>;
  /** Whether the session exists; does not prolong it. */
  has(id: string): Promise<boolean>;
  /** Forgets requests of this arrival that did not run, so that they may be sent again. */
  forget(id: string, requests: readonly string[], arrival: ArrivalMark): Promise<void>;
  /** Keeps the answer unless the roots have changed since that generation; returns whether it was kept. */
  keepAnswer(id: string, generation: number, answer: RootsAnswer): Promise<boolean>;
  /**
   * Records that the client announced a change. Once it returns, no node takes the old answer for the current one.
   */
  invalidate(id: string): Promise<number | undefined>;
  /** Remembers the chosen project, or forgets it; false if the session does not exist. */
  keepSwitched(id: string, switched: ProjectSwitch | undefined): Promise<boolean>;
  /** Remembers, beyond the end of its session, that a person granted the project that a record is switched to. */
  keepGrant(record: SessionRecord): Promise<void>;
  /** The sessions with such a grant. */
  grants(): Promise<readonly string[]>;
  /** Forgets the grant of a session. Exactly one caller, on any node, gets its record. */
  takeGrant(id: string): Promise<SessionRecord | undefined>;
  /** Removes the session; returns whether it existed. */
  remove(id: string): Promise<boolean>;
  deliver(nodeId: string, envelope: Envelope): Promise<DeliveryResult>;
  /** Sends a message to every other node, for when the receiving node is not known. */
  announce(envelope: Envelope): Promise<void>;
  /**
   * Calls the listener for each message to this node; it returns whether it wanted the message. Returns a function
   * that stops it.
   */
  onDeliver(listener: (envelope: Envelope) => boolean): () => void;
  /**
   * Makes the id of a stream, which is also the id of its first, empty event. Writes nothing: the id itself holds
   * the node and the request, sealed, so that it cannot be forged.
   */
  openStream(start: StreamStart): string;
  /** Declares the node of a stream lost. Returns true for exactly one caller. */
  closeStream(stream: string): Promise<boolean>;
  /** The state of a stream; `undefined` if no node opened it. */
  lookup(stream: string): Promise<StreamState | undefined>;
  /** About how many sessions there are. */
  count(): Promise<number>;
  /** A digest that every node of this store computes alike and that cannot be made without the secret. */
  digest(...parts: readonly string[]): string;
  isDigest(digest: string, ...parts: readonly string[]): boolean;
  /** Whether the store answered recently. */
  available(): boolean;
  close(): Promise<void>;
}
