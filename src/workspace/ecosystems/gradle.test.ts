import { expect, test } from 'vitest';
import { findCommands } from '../../../test/find-commands.ts';
import { gradle } from './gradle.ts';

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
