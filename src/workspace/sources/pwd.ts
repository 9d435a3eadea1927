import { isFileUri } from '../../path/file-uri.ts';
import type { RootSource } from './root-source.ts';

/** What the launcher's shell called its directory. Often stale, so the last guess of all. */
export const pwd: RootSource = {
  name: 'pwd',
  trust: 'weak',
  explicit: false,
  offer({ environment = {}, cwd }) {
    const text = environment['PWD'] ?? '';
    if (text === '') return { none: 'PWD is not set' };
    if (isFileUri(text)) return { none: 'PWD is a URI, and a shell writes a path' };
    const note = 'it is where the launcher was, not the process';
    return { places: [{ text, via: 'PWD', ...(cwd === undefined || cwd === text ? {} : { note }) }] };
  },
};
