import { expect, test } from 'vitest';
import { readGradleMembers } from './read-gradle-members.ts';

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
    readGradleMembers(text.repeat(Math.floor(500_000 / text.length)));
  }
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(6_000);
});

test('finds where a project was moved to, also one that was included without a colon', () => {
  const text = "include 'a'\nproject(':a').projectDir = file('libs/a')";
  expect(readGradleMembers(text).map(({ pattern }) => pattern)).toEqual(['libs/a']);
});
