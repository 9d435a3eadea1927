import type { MemberRule } from './member-rule.ts';

/**
 * The projects that a settings.gradle or settings.gradle.kts includes. Best effort: the file is a program, and
 * only what it says plainly is seen; a loop over directories is not run. `include ':lib:core'` means the
 * directory lib/core unless a `projectDir` says otherwise.
 */
export function readGradleMembers(text: string): readonly MemberRule[] {
  const program = plainProgram(text);
  const moved = new Map(
    [...program.matchAll(movedProject)].map(({ groups }) => [
      toDirectory(groups?.['project'] ?? ''),
      groups?.['directory'],
    ]),
  );
  return [...program.matchAll(includes)]
    .flatMap(({ groups }) => (groups?.['projects'] ?? '').slice(1, -1).split('" , "'))
    .map(toDirectory)
    .map((directory) => moved.get(directory) ?? directory)
    .map((pattern) => ({ pattern, literal: true }));
}

/** `:lib:core` and `lib:core` are one project. */
function toDirectory(project: string): string {
  return project.replace(/^:/, '').replaceAll(':', '/');
}

/** `include ':a', ':b'` and `include(":a", ":b")`, over several lines as long as a comma goes on. */
const includes = /\binclude (?:\( )?(?<projects>"[^"]*"(?: , "[^"]*")*)/g;
const movedProject =
  /\bproject \( "(?<project>[^"]*)" \) \. projectDir = (?:new )?[fF]ile \( (?:(?:settingsDir|rootDir) , )?"(?<directory>[^"]*)"/g;

/** Its tokens with one space between them, without comments: nothing is left that a pattern could stumble over. */
function plainProgram(text: string): string {
  const tokens = [...text.matchAll(token)].map(({ 0: found, groups }) => {
    const string = groups?.['double'] ?? groups?.['single'];
    return string === undefined ? found : `"${string.replaceAll('"', '')}"`;
  });
  return tokens.filter((found) => !/^\/[/*]/.test(found)).join(' ');
}

const token = /"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\/\/.*|\w+|[^\s\w]/g;
