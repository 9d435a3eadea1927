import type { KnownProfile } from '../sources/profile.ts';
import { agents } from './agents.ts';
import { chatApplications } from './chat-applications.ts';
import { developerTools } from './developer-tools.ts';
import { editors } from './editors.ts';

/** All known clients. Adding one is a row in one of these lists. */
export const allProfiles: readonly KnownProfile[] = [
  ...agents,
  ...editors,
  ...chatApplications,
  ...developerTools,
];
