/**
 * Returns a key under which two texts are equal if any common file system treats them as one name: case,
 * Unicode form and invisible characters do not count. For deny rules only. `.ENV` opens `.env` on macOS, on
 * Windows and on a Windows drive under Linux; HFS+ and case-folding ext4 even skip invisible characters.
 * Names in doubt are therefore equal here and different in `fold`; either way the result is a refusal.
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
 * Removes what some disks ignore at the end of a name: FAT and NTFS open `.ssh` as `.ssh.`, as `.ssh ` and,
 * where streams are served, as `.ssh:a` and `.ssh::$INDEX_ALLOCATION`. Returns the same string when there is
 * nothing to remove. For deny rules only, which check both spellings.
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
