import type { GatewayPlaces, GatewayRoots } from './gateway-roots.ts';

/** Milliseconds to collect announcements, which come in bursts. */
const calm = 20;

/**
 * Follows the roots, and reports them when they differ from what the server was told. A thousand announcements in a
 * row lead to one question.
 */
export class ToldRoots {
  readonly #roots: Pick<GatewayRoots, 'current'>;
  readonly #changed: (places: GatewayPlaces) => void;
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(roots: Pick<GatewayRoots, 'current'>, changed: (places: GatewayPlaces) => void) {
    this.#roots = roots;
    this.#changed = changed;
  }

  /** The present roots, for the server. */
  async tell(): Promise<GatewayPlaces> {
    const places = await this.#roots.current();
    this.#told = keyOf(places);
    return places;
  }

  /** The roots may have changed. */
  readonly due = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look().catch(() => undefined), calm);
  };

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const places = await this.#roots.current();
    const key = keyOf(places);
    // The first list is what later ones are compared with.
    const differs = this.#told !== undefined && this.#told !== key;
    this.#told = key;
    if (differs && !this.#closed) this.#changed(places);
  }
}

function keyOf({ roots, primary }: GatewayPlaces): string {
  return JSON.stringify([roots.map(({ uri, name }) => [uri, name]), primary?.uri]);
}
