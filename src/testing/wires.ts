/** One JSON-RPC message, not trusted to have a shape. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** A transport in the form of both SDKs, without either of them. */
export interface Wire {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: WireMessage, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
}

/** One message that went over a wire, and who sent it. */
export interface WireRecord {
  readonly from: 'client' | 'server';
  readonly message: WireMessage;
}
