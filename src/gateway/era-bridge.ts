import type { RpcMessage } from '../http/exchange/json-rpc.ts';
import { createRequestStateCodec, newSealingKey } from '../http/exchange/request-state.ts';
import type { EraRecord, EraStep, GatewaySide } from './eras/step.ts';
import { ConnectionTranslator } from './eras/connection-translator.ts';
import { frameOf, messageIn, type WireFrame } from './relay/wire-frame.ts';
import { type GatewayPlaces, rootsListOf } from './roots/gateway-roots.ts';

export interface BridgeParts {
  readonly toClient: (frame: WireFrame) => void;
  readonly toServer: (frame: WireFrame) => void;
  /** Puts a new process in the place of the server, which hears nothing of the old one. */
  readonly renewServer: () => void;
  /** The roots for the server. */
  readonly tellRoots: () => Promise<GatewayPlaces>;
  /** Whether the client is to be asked for its roots with its next call. */
  readonly wantsRoots: () => boolean;
  /** The client answered with its roots. */
  readonly rootsSaid: (result: unknown) => void;
  readonly record: (record: EraRecord) => void;
  readonly newId: () => string;
}

/** Milliseconds that a server has to show that it knows 2026-07-28. */
const patience = 3_000;

/** Milliseconds between looks at questions that the client did not answer. */
const expiry = 60_000;

/** Carries the messages of a connection whose ends speak different eras, or both that of 2026-07-28. */
export class EraBridge {
  readonly #parts: BridgeParts;
  readonly #translator: ConnectionTranslator;
  readonly #expiring: NodeJS.Timeout;
  #probing: NodeJS.Timeout | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    this.#translator = new ConnectionTranslator({
      newId: parts.newId,
      answersRoots: true,
      requestState: createRequestStateCodec({ keys: [newSealingKey()] }),
      wantsClientRoots: parts.wantsRoots,
    });
    this.#expiring = setInterval(() => this.#run(this.#translator.expire()), expiry).unref();
  }

  fromClient(frame: WireFrame): void {
    const message = messageIn(frame);
    this.#run(this.#translator.fromClient(message), { frame, message });
  }

  fromServer(frame: WireFrame): void {
    const message = messageIn(frame);
    if (frame.method === undefined) this.#heard();
    this.#run(this.#translator.fromServer(message), { frame, message });
  }

  /** Takes over a connection whose server has refused the `initialize` of the client. */
  adopt(initialize: WireFrame, refusal: WireFrame): void {
    // The server has heard it already.
    this.#translator.fromClient(messageIn(initialize));
    this.fromServer(refusal);
  }

  /** The roots for the server have changed. */
  rootsChanged(): void {
    this.#run(this.#translator.rootsChanged());
  }

  /** A new process of the server runs. */
  restarted(): void {
    this.#run(this.#translator.restarted());
  }

  /** The server has ended; returns whether that is only the end of a question about its era. */
  serverEnded(): boolean {
    if (this.#probing === undefined) return false;
    this.#fallSilent();
    return true;
  }

  close(): void {
    clearInterval(this.#expiring);
    this.#heard();
  }

  #heard(): void {
    clearTimeout(this.#probing);
    this.#probing = undefined;
  }

  readonly #fallSilent = (): void => {
    this.#heard();
    this.#run(this.#translator.serverSilent());
  };

  #run(steps: readonly EraStep[], arrived?: Arrived): void {
    for (const step of steps) this.#take(step, arrived);
  }

  #take(step: EraStep, arrived: Arrived | undefined): void {
    switch (step.kind) {
      case 'pass':
        return this.#send(step.to, arrived?.message === step.message ? arrived.frame : frameOf(step.message));
      case 'send':
        return this.#send(step.to, frameOf(step.message));
      case 'roots-asked':
        return void this.#answerRoots(step.question);
      case 'roots-said':
        return this.#parts.rootsSaid(step.result);
      case 'probe':
        this.#probing = setTimeout(this.#fallSilent, patience);
        return;
      case 'fresh-server':
        return this.#parts.renewServer();
      case 'record':
        return this.#parts.record(step.record);
      case 'roots-changed':
        // The connection hears it before the translator does.
        return;
    }
  }

  #send(to: GatewaySide, frame: WireFrame): void {
    if (to === 'client') this.#parts.toClient(frame);
    else this.#parts.toServer(frame);
  }

  async #answerRoots(question: string): Promise<void> {
    const { roots } = rootsListOf(
      await this.#parts.tellRoots().catch(() => ({ roots: [], primary: undefined })),
    );
    this.#run(this.#translator.answerRoots(question, roots));
  }
}

interface Arrived {
  readonly frame: WireFrame;
  readonly message: RpcMessage;
}
