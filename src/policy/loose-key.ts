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

const isAscii = /^[\u0020-\u007E]*$/;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
