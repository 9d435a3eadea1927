// Replaces a file again and again, as a program does that thinks of nothing. Plain JavaScript, so that it runs
// without being compiled.
//
//   fork('plain-writer.mjs', [file, length])
import { writeFileSync } from 'node:fs';

const [file = '', length = ''] = process.argv.slice(2);
const versions = ['b', 'a'].map((letter) => letter.repeat(Number(length)));
process.send('running', () => {
  for (;;) for (const version of versions) writeFileSync(file, version);
});
