import { quote } from '../base/quote.ts';

/** The fate of the entry: used after a repair, used with a warning, or not used. */
export type RootIssueEffect = 'repaired' | 'warned' | 'dropped';

/** A finding about one root entry. */
export interface RootIssue {
  readonly code: RootIssueCode;
  readonly effect: RootIssueEffect;
  /** The entry as it was sent. */
  readonly entry: string;
  readonly message: string;
  readonly hint: string;
  /** A path that the sender may have meant. Must be checked on the disk before use. */
  readonly alternative?: string;
}

export type RootIssueCode =
  | 'string-entry'
  | 'upper-case-scheme'
  | 'short-form'
  | 'bare-path'
  | 'encoded-drive-colon'
  | 'drive-in-authority'
  | 'backslash'
  | 'raw-character'
  | 'bad-escape'
  | 'dot-segment'
  | 'bad-name'
  | 'not-an-entry'
  | 'not-a-list'
  | 'too-many'
  | 'empty'
  | 'relative'
  | 'placeholder'
  | 'opaque'
  | 'foreign-scheme'
  | 'foreign-host'
  | 'network-share'
  | 'drive-path-on-posix'
  | 'posix-path-on-windows'
  | 'query-or-fragment'
  | 'whole-file-system'
  | 'too-broad'
  | 'no-project'
  | 'invalid'
  | 'missing'
  | 'unmapped'
  | 'unusable'
  | 'duplicate'
  | 'nested'
  | 'leads-elsewhere'
  | 'leaves-root'
  | 'exchanged'
  | 'sensitive'
  | 'secret-place'
  | 'holds-sensitive'
  | 'unmounted'
  | 'no-permission'
  | 'polled';

interface IssueText {
  readonly effect: RootIssueEffect;
  readonly state: string;
  readonly hint: string;
}

/** A hint for the person who can change the sender. */
const sendAbsolute = 'Send the absolute file URI of a directory, such as file:///home/me/app';

const texts: { readonly [Code in RootIssueCode]: IssueText } = {
  'string-entry': repaired('the entry is plain text', 'Send an object with a "uri"'),
  'upper-case-scheme': repaired('its scheme is not in lower case', 'Write "file:"'),
  'short-form': repaired('it has one slash after "file:"', 'Write "file:///"'),
  'bare-path': repaired('it is a path, not a URI', sendAbsolute),
  'encoded-drive-colon': repaired('the colon of its drive is encoded', 'Write the drive as C:/'),
  'drive-in-authority': repaired('its drive is where the host belongs', 'Write "file:///" before the drive'),
  backslash: repaired('it contains backslashes', 'Write "/" between names'),
  'raw-character': repaired('it contains characters that a URI must encode', 'Percent-encode them'),
  'bad-escape': repaired('it contains "%" that is not an encoding', 'Write "%" in a name as %25'),
  'dot-segment': repaired('it contains "." segments', 'Leave them out'),
  'bad-name': repaired('its name cannot be used', 'Send a short text as "name", or none'),
  'not-an-entry': dropped('it is not an object with a "uri"', sendAbsolute),
  'not-a-list': dropped('the roots are not a list', 'Send an array of objects with a "uri"'),
  'too-many': dropped('there are too many roots', 'Send the directories that are open, not every file'),
  empty: dropped('it is empty', sendAbsolute),
  relative: dropped('it is not absolute', sendAbsolute),
  placeholder: dropped(
    'it contains a placeholder that was not filled in',
    'Use a variable that this client expands',
  ),
  opaque: dropped(
    'it represents a path that cannot be written as a URI',
    'Open a directory with a UTF-8 name',
  ),
  'foreign-scheme': dropped('its scheme is not "file"', 'Run the server where the files are'),
  'foreign-host': dropped('it names another host', 'Run the server where the files are'),
  'network-share': dropped('it names a network share', 'Allow network shares explicitly, or map a drive'),
  'drive-path-on-posix': dropped(
    'it is a Windows path on a posix system',
    'Run client and server on one system',
  ),
  'posix-path-on-windows': dropped('it is a posix path on Windows', 'Run client and server on one system'),
  'query-or-fragment': dropped('it has a raw "?" or "#"', 'Write them as %3F and %23 in a name'),
  'whole-file-system': dropped('it grants a whole file system', 'Open a directory, not the disk'),
  'too-broad': warned('it is too broad for a project', 'Open the project itself'),
  'no-project': dropped('a link in it leads to a place that is not a project', 'Open the project itself'),
  invalid: dropped('it is not an acceptable file URI', sendAbsolute),
  missing: dropped('it does not exist', 'Open a directory that exists on the machine of the server'),
  unmapped: dropped('the server has no name for it', 'Mount it for the server, or name it with --map'),
  unusable: dropped('it cannot be opened', 'Check its owner and mode, and that it is a file or directory'),
  duplicate: dropped('another root names the same place', 'Send each directory once'),
  nested: warned('it is inside another root', 'Leave it out, or give it rules of its own'),
  'leads-elsewhere': warned(
    'a link in it leads elsewhere',
    'Name the place that it leads to, if that is what is meant',
  ),
  'leaves-root': dropped(
    'a link in it leads out of another root, through which it is reached',
    'Name the place that it leads to, if that is what is meant',
  ),
  exchanged: dropped(
    'it is inside another root, and a link on its path now leads somewhere else',
    'Name the place that it leads to, or start the server again',
  ),
  sensitive: dropped('it is not for sharing', 'Open the project itself, and give single files by hand'),
  'secret-place': dropped(
    'secrets are kept there, so a client cannot name it',
    'Open the project itself; only the operator can name such a place: `rootward serve DIR`',
  ),
  'holds-sensitive': warned(
    'it contains something that is not for sharing',
    'Open a smaller directory, or deny that part by a rule',
  ),
  unmounted: dropped('its file system is not mounted', 'Mount or connect it, then try again'),
  'no-permission': dropped(
    'reading it is not permitted',
    'Check its owner and mode, and those of the directories above it',
  ),
  polled: warned(
    'the system is out of watches, so it is checked at intervals',
    'Raise the limit, such as fs.inotify.max_user_watches, or watch less',
  ),
};

function repaired(state: string, hint: string): IssueText {
  return { effect: 'repaired', state, hint };
}

function warned(state: string, hint: string): IssueText {
  return { effect: 'warned', state, hint };
}

function dropped(state: string, hint: string): IssueText {
  return { effect: 'dropped', state, hint };
}

const verbs: { readonly [Effect in RootIssueEffect]: string } = {
  repaired: 'Repaired',
  warned: 'Be careful with',
  dropped: 'Cannot use',
};

export interface IssueDetails {
  /** Replaces the reason of the table. */
  readonly state?: string;
  readonly alternative?: string;
}

export function createRootIssue(code: RootIssueCode, entry: string, details: IssueDetails = {}): RootIssue {
  const { effect, state, hint } = texts[code];
  const message = `${verbs[effect]} root ${quote(entry)}: ${details.state ?? state}`;
  const { alternative } = details;
  return { code, effect, entry, message, hint, ...(alternative === undefined ? {} : { alternative }) };
}
