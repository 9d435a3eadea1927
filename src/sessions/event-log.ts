import type { StreamEvent } from './session-store.ts';

/** An event is named after its stream and its place in it, so that no second table is needed. */
export function eventId(stream: string, place: number): string {
  return place === 0 ? stream : `${stream}.${place}`;
}

/** A name may say more than a number would; a client sends it back as a header. */
const pattern = /^([\w-]{1,1024})(?:\.([1-9]\d{0,8}))?$/;

/** The stream and the place; `undefined` for an id that we did not make. */
export function parseEventId(id: string): { readonly stream: string; readonly place: number } | undefined {
  const [, stream, place = '0'] = pattern.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, place: Number(place) };
}

/** The last events of one stream. What is too old or too much is forgotten, from the front. */
export class EventLog {
  readonly stream: string;
  readonly #most: number;
  #first = 1;
  readonly #events: unknown[] = [];

  constructor(stream: string, most: number) {
    this.stream = stream;
    this.#most = most;
  }

  append(message: unknown): string {
    this.#events.push(message);
    if (this.#events.length > this.#most) {
      this.#events.shift();
      this.#first += 1;
    }
    return eventId(this.stream, this.#first + this.#events.length - 1);
  }

  /** `undefined` if some of what came after that place is forgotten, or the place was never there. */
  after(place: number): readonly StreamEvent[] | undefined {
    const next = place + 1;
    if (next < this.#first || next > this.#first + this.#events.length) return undefined;
    return this.#events
      .slice(next - this.#first)
      .map((message, index) => ({ id: eventId(this.stream, next + index), message }));
  }
}
