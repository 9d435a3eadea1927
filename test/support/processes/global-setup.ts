import { buildOnce } from './build-once.ts';
import { installPrograms } from './system-programs.ts';

/** Before any test: installs the system programs that tests need, where it can, and builds what they start. */
export async function setup(): Promise<void> {
  installPrograms();
  await buildOnce();
}
