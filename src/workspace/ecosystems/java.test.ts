import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { gradle, maven, readGradleMembers, readMavenMembers } from './java.ts';
import { parseXml } from './manifest/parse-xml.ts';

test('phases, and goals of plugins that are used', async () => {
  const plugin = '<plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin>';
  const pom = `<project><build><plugins>${plugin}</plugins></build></project>`;
  expect(await findCommands(maven, { 'pom.xml': pom, mvnw: '' })).toEqual([
    'build: ./mvnw package',
    'test: ./mvnw test',
    'lint: ./mvnw verify',
    'clean: ./mvnw clean',
    'run: ./mvnw spring-boot:run',
  ]);
  expect(await findCommands(maven, { 'pom.xml': '<project>' })).toHaveLength(4);
  expect(await findCommands(maven, {})).toEqual([]);
});

test('the wrapper of a directory above is used', async () => {
  expect(await findCommands(maven, { 'pom.xml': '<project/>' }, ['mvnw'])).toContain('test: ../mvnw test');
  expect(await findCommands(gradle, { 'build.gradle': '' }, ['gradlew'])).toContain('test: ../gradlew test');
});

test.each([
  [`plugins {\n  id 'application'\n}`, true],
  [`plugins {\n    application\n}`, true],
  [`plugins {\n  \`application\`\n}`, true],
  [`apply plugin: 'application'`, true],
  [`plugins { id("application") }`, true],
  [`plugins { id 'com.android.library' }\nandroid { namespace 'org.example.application' }`, false],
  [`plugins { id 'com.android.application' }`, false],
  [`plugins { id 'application' version '1' apply false }`, false],
  [`// application\n`, false],
])('%j has a program: %s', async (text, expected) => {
  expect((await findCommands(gradle, { 'build.gradle': text })).includes('run: gradle run')).toBe(expected);
});

test('with and without a wrapper and plugins', async () => {
  expect(await findCommands(gradle, { 'settings.gradle': '' })).toEqual([
    'build: gradle build',
    'test: gradle test',
    'lint: gradle check',
    'clean: gradle clean',
  ]);
  const build =
    'plugins { application; id("org.springframework.boot") version "3"; id("com.diffplug.spotless") }';
  const more = await findCommands(gradle, { 'build.gradle.kts': build, gradlew: '' });
  expect(more).toContain('run: ./gradlew run');
  expect(more).toContain('run: ./gradlew bootRun');
  expect(more).toContain('format: ./gradlew spotlessApply');
  expect(await findCommands(gradle, {})).toEqual([]);
});

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

test.each([
  [`include ':app', ':lib:core'`, ['app', 'lib/core']],
  [`include(":app", ":lib")\ninclude(":web")`, ['app', 'lib', 'web']],
  [`include(\n  ":app", // the app\n  ":lib",\n)`, ['app', 'lib']],
  [`include 'app'`, ['app']],
  [`include\n':app'`, ['app']],
  [`settings.include(':app')`, ['app']],
  [`include(":app")\nproject(":app").projectDir = file("modules/app")`, ['modules/app']],
  [`include ':a'\nproject(':a').projectDir = new File(settingsDir, 'x/a')`, ['x/a']],
  [`include(":a")\nproject(":a").projectDir = File(rootDir, "x/a")`, ['x/a']],
  [`// include ':no'\n/* include ':no' */ include ':yes'`, ['yes']],
  [`val url = "https://x.example/*"\ninclude(":app")`, ['app']],
  [`include(":with space", ":ünï")`, ['with space', 'ünï']],
  [`includeBuild("build-logic")\nexclude(":no")`, []],
  [`listOf("a", "b").forEach { include(":$it") }`, ['$it']],
  [`dirs.forEach { include(it.name) }`, []],
  [`/* never closed include ':no'`, []],
  [``, []],
])('%j includes %j', (text, expected) => {
  expect(readGradleMembers(text).map(({ pattern }) => pattern)).toEqual(expected);
});

test('a hostile file does not hold the process', () => {
  const start = process.cpuUsage();
  for (const text of ['/*', '\n', ' ', '"', `'"`, 'include ', 'include "a",', 'project(":a").projectDir=']) {
    readGradleMembers(text.repeat(Math.floor(200_000 / text.length)));
  }
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(6_000);
});

test('finds where a project was moved to, also one that was included without a colon', () => {
  const text = "include 'a'\nproject(':a').projectDir = file('libs/a')";
  expect(readGradleMembers(text).map(({ pattern }) => pattern)).toEqual(['libs/a']);
});
