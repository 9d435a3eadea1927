import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findLeakedHandles } from './leaked-handles.ts';

const compiled = fileURLToPath(
  new URL('../../../.build/src/boundary/process/leaked-handles.js', import.meta.url),
);

test('what this process opened itself is not handed on', () => {
  const fd = openSync('.', 'r');
  expect(findLeakedHandles()).not.toContain(fd);
  closeSync(fd);
});

test.runIf(process.platform === 'linux')('what whoever started it left open is', () => {
  const script = `import(${JSON.stringify(compiled)}).then(({ findLeakedHandles }) => console.log(findLeakedHandles().includes(77)))`;
  const command = `exec 77</dev/null; "$0" -e '${script}'; exec 77<&-; "$0" -e '${script}'`;
  const { stdout } = spawnSync('bash', ['-c', command, process.execPath], { encoding: 'utf8' });
  expect(stdout).toBe('true\nfalse\n');
});
