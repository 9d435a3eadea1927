/** `npm run readme` writes the parts of README.md that are made of code and data. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fillSections } from './readme-sections.ts';

writeFileSync('README.md', fillSections(readFileSync('README.md', 'utf8')));
