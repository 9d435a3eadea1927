import type { RootStore } from '../client/store/root-store.ts';
import type { RootwardError } from '../errors.ts';
import type { Terminal } from './settings/process-context.ts';
import type { Records } from './open-records.ts';

/** Where it is told. */
export interface DamageEars extends Pick<Records, 'log'> {
  readonly stderr: Terminal;
}

/** Says when the file of a store cannot be read any more, and when it is repaired; each once. */
export function tellDamage(store: Pick<RootStore, 'subscribe'>, { stderr, log }: DamageEars): void {
  let told: RootwardError | undefined;
  store.subscribe(({ damage }) => {
    if (damage?.message === told?.message) return;
    told = damage;
    if (damage === undefined) {
      log({ kind: 'store', state: 'repaired' });
      return stderr.write('rootward: the stored roots can be read again, and count from now on\n');
    }
    const { code, message, hint } = damage;
    log({ kind: 'store', state: 'damaged', code, message, hint });
    stderr.write(`rootward: ${message}; what was read before still counts. ${hint}\n`);
  });
}
