import { fileURLToPath } from 'node:url';

const built = new URL('../../../.build/src/', import.meta.url);

/** The command as it is shipped: one program, bundled before the tests begin. */
export const program: string = fileURLToPath(new URL('bundle/main.js', built));

/** The same module by module, which takes twice as long to start: for tests that count modules or change one. */
export const programInModules: string = fileURLToPath(new URL('cli/main.js', built));
