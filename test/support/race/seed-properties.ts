import fc from 'fast-check';
import { attackSeed } from './seed.ts';

// Loaded before every test file of `npm run attack`: all properties of a round draw from its seed.
fc.configureGlobal({ seed: attackSeed });
