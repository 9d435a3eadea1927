import { isFileUri } from '../../path/file-uri.ts';
import { toPlace } from './client-sources.ts';
import type { SourceTable } from './root-source.ts';

/** The directories that the process was started with, and the one it was started in. */
export const processSources: SourceTable<'operator' | 'walk-up' | 'pwd'> = {
  /** The directories that the operator named; the first one is the project. */
  operator: {
    trust: 'likely',
    explicit: true,
    offer: ({ ceiling = [] }) =>
      ceiling.length === 0 ? { none: 'the operator named no directory' } : { places: ceiling.map(toPlace) },
  },

  /** Upward from the directory of the process to the nearest project. */
  'walk-up': {
    trust: 'likely',
    explicit: false,
    upward: true,
    offer({ environment = {}, cwd }, profile) {
      if (profile?.cwd === 'never') return { none: 'this client does not start servers in the project' };
      // npm changes to the package's directory and keeps the original one in this variable.
      const initial = environment['INIT_CWD'] ?? '';
      const byNpm = (environment['npm_command'] ?? environment['npm_lifecycle_event'] ?? '') !== '';
      if (byNpm && initial !== '') return { places: [{ text: initial, via: 'INIT_CWD' }] };
      return cwd === undefined
        ? { none: 'there is no current directory' }
        : { places: [{ text: cwd, via: 'cwd' }] };
    },
  },

  /** The directory of the launcher's shell. Often stale, so the last guess of all. */
  pwd: {
    trust: 'weak',
    explicit: false,
    offer({ environment = {}, cwd }) {
      const text = environment['PWD'] ?? '';
      if (text === '') return { none: 'PWD is not set' };
      if (isFileUri(text)) return { none: 'PWD is a URI, and a shell writes a path' };
      const note = 'it is where the launcher was, not the process';
      return { places: [{ text, via: 'PWD', ...(cwd === undefined || cwd === text ? {} : { note }) }] };
    },
  },
};
