/**
 * A text as the most forgiving file system would compare it: case, Unicode form and characters that cannot be
 * seen do not count. For deny rules only. They meet the name that was asked for, and `.ENV` opens `.env` on
 * macOS, on Windows and on a Windows drive under Linux; HFS+ and case-folding ext4 even skip invisible
 * characters. So names that are in doubt are the same here, and different in `fold`: both ends are a refusal.
 */
export function looseKey(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(invisible, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll('ς', 'σ');
}

/**
 * A path without what some disks cut from the end of a name: FAT and NTFS open `.ssh` as `.ssh.`, as `.ssh ` and,
 * where streams are served, as `.ssh:a` and `.ssh::$INDEX_ALLOCATION`. The same path where there is nothing to cut,
 * which costs one look. For deny rules only: they ask about both.
 */
export function withoutTails(path: string): string {
  return mayHaveTail.test(path) ? path.split('/').map(withoutTail).join('/') : path;
}

const mayHaveTail = /[. ](?:\/|$)|:/;

function withoutTail(name: string): string {
  const colon = name.indexOf(':');
  const main = colon === -1 ? name : name.slice(0, colon);
  let end = main.length;
  while (end > 0 && (main[end - 1] === '.' || main[end - 1] === ' ')) end -= 1;
  return end === 0 ? name : main.slice(0, end);
}

const isAscii = /^[\u0020-\u007E]*$/;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
