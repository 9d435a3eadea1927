import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before a program: writes down every path with a certain word in it that the program hands to the system.
const { TOUCHED_WORD: word, TOUCHED_FILE: file } = process.env;
const append = fs.appendFileSync;

for (const [where, functions] of Object.entries({ '': fs, 'promises.': fs.promises }))
  for (const [name, own] of Object.entries(functions)) {
    if (typeof own !== 'function' || /^[A-Z_]|^appendFileSync$/.test(name)) continue;
    functions[name] = Object.assign(function touch(...args) {
      if (typeof args[0] === 'string' && args[0].includes(word)) append(file, `${where}${name} ${args[0]}\n`);
      return own.apply(this, args);
    }, own);
  }
syncBuiltinESMExports();
