import type { XmlDocument } from './parse-manifest.ts';
import type { MemberRule } from './member-rule.ts';

/** Where a pom.xml lists its modules; the last two since Maven 4. */
const lists = [
  ['project', 'modules', 'module'],
  ['project', 'profiles', 'profile', 'modules', 'module'],
  ['project', 'subprojects', 'subproject'],
  ['project', 'profiles', 'profile', 'subprojects', 'subproject'],
] as const;

/** The modules of a pom.xml, those of profiles included: directories, or a pom in one. */
export function readMavenMembers(xml: XmlDocument): readonly MemberRule[] {
  return lists
    .flatMap((list) => xml.texts(list))
    .map((module) => ({ pattern: module.replace(/\/[^/]+\.xml$/, ''), literal: true }));
}
