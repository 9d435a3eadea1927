import { type BuildCommand, type BuildSystem, firstOf, textOf } from './build-system.ts';

const files = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'] as const;

/** Plugins that add a task, by a word that their names hold. */
const plugins: readonly (readonly [RegExp, BuildCommand['task'], string])[] = [
  [/\bapplication\b/, 'run', 'run'],
  [/org\.springframework\.boot/, 'run', 'bootRun'],
  [/\bspotless\b/, 'format', 'spotlessApply'],
  [/\bktlint\b/, 'lint', 'ktlintCheck'],
  [/\bdetekt\b/, 'lint', 'detekt'],
  [/\bcheckstyle\b/, 'lint', 'checkstyleMain'],
];

/** What Gradle does with every build. Best effort: build files are programs, and only plain words are seen. */
export const gradle: BuildSystem = {
  name: 'gradle',
  async find(directory) {
    const file = firstOf(directory, files);
    if (file === undefined) return [];
    const isWrapped = directory.names.includes('gradlew');
    const program = isWrapped ? './gradlew' : 'gradle';
    const how = isWrapped ? 'gradlew is there' : 'there is no gradlew';
    const text = await textOf(directory, firstOf(directory, files.slice(0, 2)));
    const standard = (['build', 'test'] as const).map((task) => ({
      task,
      command: `${program} ${task}`,
      file,
      why: `it is a build of Gradle, and ${how}`,
      bestEffort: true,
    }));
    const check: BuildCommand = {
      task: 'lint',
      command: `${program} check`,
      file,
      why: 'runs every check',
      bestEffort: true,
    };
    const added = plugins
      .filter(([pattern]) => pattern.test(text))
      .map(([pattern, task, name]) => ({
        task,
        command: `${program} ${name}`,
        file,
        why: `it says ${pattern.source.replaceAll(/\\[b]?/g, '')}`,
        bestEffort: true,
      }));
    const clean: BuildCommand = {
      task: 'clean',
      command: `${program} clean`,
      file,
      why: how,
      bestEffort: true,
    };
    return [...standard, check, ...added, clean];
  },
};
