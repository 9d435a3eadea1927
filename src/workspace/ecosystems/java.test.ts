import { expect, test } from 'vitest';
import { findCommands } from '../../../test/find-commands.ts';
import { maven } from './java.ts';

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
