/** `npm run reference` writes `docs/reference/` from the exports of the package and their doc comments. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { referencePages } from './reference-pages.ts';

const directory = 'docs/reference';
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
for (const [file, text] of referencePages()) writeFileSync(`${directory}/${file}`, text);
