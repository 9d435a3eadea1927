import { ConnectionTranslator } from '../../../src/gateway/eras/connection-translator.ts';
import { type Fields, fieldsOf } from '../../../src/base/fields.ts';
import type { EraRecord, ListedRoot, EraStep, TranslatorOptions } from '../../../src/gateway/eras/step.ts';
import type {
  RpcMessage,
  RpcNotification,
  RpcRequest,
  RpcResponse,
} from '../../../src/http/exchange/json-rpc.ts';
import { createRequestStateCodec, newSealingKey } from '../../../src/http/exchange/request-state.ts';
import { linkWires, type Wire } from '../../../src/testing/wires.ts';

export interface RelaySetup {
  /** Connects a server; it is called again where a new process would be started. */
  readonly serve: (wire: Wire) => unknown;
  readonly roots?: readonly ListedRoot[];
  /** Whether the client of 2026-07-28 is asked for its roots; it is asked once. */
  readonly asksClient?: boolean;
}

export interface Relayed {
  /** The end for the client. */
  readonly client: Wire;
  readonly translator: ConnectionTranslator;
  readonly records: EraRecord[];
  /** Roots that the client answered with. */
  readonly said: unknown[];
  /** Messages that went to the server, of all its processes. */
  readonly toServer: RpcMessage[];
  readonly toClient: RpcMessage[];
  /** Messages that were forwarded as the bytes that they were. */
  readonly passed: RpcMessage[];
  servers: number;
  /** Replaces the server, as after a crash. */
  restart(): void;
  /** Carries out steps. */
  run(steps: readonly EraStep[]): void;
}

/** A relay in this process: it carries out the steps of a translator, and nothing else. */
export async function relayEras({ serve, roots = [], asksClient = false }: RelaySetup): Promise<Relayed> {
  const near = linkWires();
  let upstream = linkWires();
  const translator = createTranslator({ wantsClientRoots: () => asksClient && relayed.said.length === 0 });
  const open = (): void => {
    upstream = linkWires();
    relayed.servers += 1;
    const own = upstream.client;
    own.onmessage = (message) => own === upstream.client && run(translator.fromServer(copy(message)));
    void own.start();
    void serve(upstream.server);
  };
  const run = (steps: readonly EraStep[]): void => {
    for (const step of steps) carryOut(step);
  };
  const carryOut = (step: EraStep): void => {
    switch (step.kind) {
      case 'pass':
        relayed.passed.push(step.message);
        return deliver(step.to, step.message);
      case 'send':
        return deliver(step.to, step.message);
      case 'roots-asked':
        return run(translator.answerRoots(step.question, roots));
      case 'roots-said':
        return void relayed.said.push(step.result);
      case 'fresh-server':
        return open();
      case 'record':
        return void relayed.records.push(step.record);
      case 'roots-changed':
      case 'probe':
        return undefined;
    }
  };
  const deliver = (to: 'client' | 'server', message: RpcMessage): void => {
    (to === 'client' ? relayed.toClient : relayed.toServer).push(message);
    void (to === 'client' ? near.server : upstream.client).send(copy(message));
  };
  const relayed: Relayed = {
    client: near.client,
    translator,
    records: [],
    said: [],
    toServer: [],
    toClient: [],
    passed: [],
    servers: 0,
    restart() {
      open();
      run(translator.restarted());
    },
    run,
  };
  near.server.onmessage = (message) => run(translator.fromClient(copy(message)));
  await near.server.start();
  open();
  return relayed;
}

function copy(message: unknown): RpcMessage {
  return structuredClone(message) as RpcMessage;
}

export function translatorOptions(options: Partial<TranslatorOptions> = {}): TranslatorOptions {
  let count = 0;
  return {
    newId: () => `rw-${(count += 1)}`,
    answersRoots: true,
    requestState: createRequestStateCodec({
      keys: [newSealingKey()],
      ...(options.now && { now: options.now }),
    }),
    ...options,
  };
}

export function createTranslator(options: Partial<TranslatorOptions> = {}): ConnectionTranslator {
  return new ConnectionTranslator(translatorOptions(options));
}

export function request(id: string | number, method: string, params?: Fields): RpcRequest {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

export function notification(method: string, params?: Fields): RpcNotification {
  return { jsonrpc: '2.0', method, ...(params && { params }) };
}

export function response(id: string | number, result: Fields): RpcResponse {
  return { jsonrpc: '2.0', id, result };
}

/** Parameters with the introduction of a client of 2026-07-28. */
export function envelope(capabilities: Fields = {}, version = '2026-07-28'): Fields {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  };
}

/** The message of a step that passes or sends one. */
export function messageOf(step: EraStep | undefined): Fields {
  if (step === undefined || !('message' in step)) throw new Error(`No message: ${JSON.stringify(step)}`);
  return fieldsOf(step.message);
}

export function idOf(step: EraStep | undefined): string | number {
  return messageOf(step)['id'] as string | number;
}

/** The method of a step's message, or the kind of a step without one. */
export function methodOf(step: EraStep): unknown {
  return 'message' in step ? (messageOf(step)['method'] ?? 'response') : step.kind;
}
