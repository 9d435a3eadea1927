import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the script and the style sheets use the same width', () => {
  const width = /max-width: (\d+px)/.exec(
    readFileSync(new URL('use-narrow.ts', import.meta.url), 'utf8'),
  )?.[1];
  const sheet = readFileSync(new URL('../style/roots.css', import.meta.url), 'utf8');
  expect(sheet).toContain(`@media (max-width: ${width})`);
});
