/** The secret of this window. */
export interface KeptProof {
  /** Empty if there is none. */
  readonly read: () => string;
  readonly keep: (proof: string) => void;
}

const key = 'rootward proof';

/** What a browser has to keep something for one window, until it is closed. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** Keeps the secret of this window over a reload. No request carries it unless a script of this page says so. */
export function keepProof(storage: Storage | undefined = ownStorage()): KeptProof {
  let proof = storage?.getItem(key) ?? '';
  return {
    read: () => proof,
    keep(given) {
      proof = given;
      storage?.setItem(key, given);
    },
  };
}

/** A browser that keeps nothing still shows the page; a reload then needs a new link. */
function ownStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
