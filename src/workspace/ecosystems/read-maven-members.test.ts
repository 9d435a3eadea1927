import { expect, test } from 'vitest';
import { parseXml } from './parse-manifest.ts';
import { readMavenMembers } from './read-maven-members.ts';

async function modulesOf(content: string): Promise<readonly string[]> {
  const parsed = await parseXml(`<project xmlns="http://maven.apache.org/POM/4.0.0">${content}</project>`);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return readMavenMembers(parsed.value).map(({ pattern }) => pattern);
}

test.each([
  ['<modules><module>core</module><module> web </module></modules>', ['core', 'web']],
  ['<modules><module>core/pom.xml</module><module>a/other-pom.xml</module></modules>', ['core', 'a']],
  ['<profiles><profile><modules><module>it</module></modules></profile></profiles>', ['it']],
  ['<subprojects><subproject>core</subproject></subprojects>', ['core']],
  ['<modules><!-- <module>old</module> --><module>a&amp;b</module></modules>', ['a&b']],
  ['<build><modules><module>no</module></modules></build>', []],
  ['<artifactId>app</artifactId>', []],
])('%s has the modules %j', async (content, expected) => {
  expect(await modulesOf(content)).toEqual(expected);
});
