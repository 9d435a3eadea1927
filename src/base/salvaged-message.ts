/** The id of a request in JSON-RPC. */
export type SalvagedId = string | number;

/** Bytes of a key or an id that are examined. */
const longestSalvaged = 256;

const [quotes, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * Extracts the id of a message that is too long to keep, and whether it expects an answer. It takes bytes as they
 * come and stores almost none of them.
 */
export class SalvagedMessage {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The bytes between two separators at the top level. */
  #piece: number[] = [];
  #key = '';
  readonly #fields = new Map<string, string>();

  /** The id of a request; `undefined` for a message that expects no answer. */
  get requestId(): SalvagedId | undefined {
    return this.#fields.has('method') ? this.#id : undefined;
  }

  /** The id of the request that the message answers; `undefined` if it is no answer. */
  get answeredId(): SalvagedId | undefined {
    return this.#fields.has('method') ? undefined : this.#id;
  }

  get #id(): SalvagedId | undefined {
    const id = this.#fields.get('id');
    const value: unknown = id === undefined ? undefined : parseSalvaged(id);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#inText) {
      this.#keep(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quotes) this.#inText = false;
    } else if (this.#depth === 1 && (byte === colon || byte === comma)) this.#separate(byte);
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) {
      if (this.#depth === 1) this.#separate(comma);
      this.#depth -= 1;
    } else {
      this.#inText = byte === quotes;
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#piece.length < longestSalvaged) this.#piece.push(byte);
  }

  #separate(byte: number | undefined): void {
    const piece = Buffer.from(this.#piece).toString('utf8');
    this.#piece = [];
    if (byte === colon) this.#key = String(parseSalvaged(piece));
    else if (this.#key === 'id' || this.#key === 'method') this.#fields.set(this.#key, piece);
  }
}

function parseSalvaged(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
