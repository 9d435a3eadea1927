import type { Profile } from '../sources/profile.ts';
import { agents } from './agents.ts';
import { editors } from './editors.ts';
import { others } from './others.ts';

/** Every client that somebody looked at. */
export const allProfiles: readonly Profile[] = [...agents, ...editors, ...others];
