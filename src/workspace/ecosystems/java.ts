import type { XmlDocument } from './manifest/parse-xml.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  firstOf,
  nearest,
  readBuildFile,
} from './record/build-system.ts';
import { declare, declareByText, type MemberRule } from './record/declaration.ts';
import type { Ecosystem, MarkerRow } from './record/ecosystem.ts';

const file = 'pom.xml';

export const maven: Ecosystem = {
  name: 'maven',
  markers: [
    {
      file,
      name: { format: 'xml', at: [['project', 'artifactId']] },
      members: declare('xml', readMavenMembers),
      facts: {
        format: 'xml',
        version: [
          ['project', 'version'],
          ['project', 'parent', 'version'],
        ],
        description: [['project', 'description']],
        requires: { java: ['project', 'properties', 'maven.compiler.release'] },
      },
    },
  ],
  build: { name: 'maven', title: 'Maven', find: findMavenCommands },
  languages: { Java: 'java' },
  pruned: ['target', '.m2', '.sdkman'],
};

const gradleSettings: Omit<MarkerRow, 'file'> = {
  name: { format: 'text', pattern: /^[ \t]*rootProject\.name\s?=\s?["'](?<name>[^"'\r\n]+)["']/m },
  members: declareByText(readGradleMembers),
};

/** Best effort throughout, because the files of Gradle are programs. */
export const gradle: Ecosystem = {
  name: 'gradle',
  markers: [
    { file: 'settings.gradle', ...gradleSettings },
    { file: 'settings.gradle.kts', ...gradleSettings },
    { file: 'build.gradle' },
    { file: 'build.gradle.kts' },
  ],
  build: { name: 'gradle', title: 'Gradle', find: findGradleCommands },
  languages: { Groovy: 'groovy gradle', Kotlin: 'kt kts' },
  pruned: ['build', '.gradle'],
};

/** Plugins that add a goal, by their artifact. */
const plugins: readonly (readonly [string, BuildCommand['task'], string])[] = [
  ['spring-boot-maven-plugin', 'run', 'spring-boot:run'],
  ['quarkus-maven-plugin', 'run', 'quarkus:dev'],
  ['exec-maven-plugin', 'run', 'exec:java'],
  ['maven-checkstyle-plugin', 'lint', 'checkstyle:check'],
  ['spotless-maven-plugin', 'format', 'spotless:apply'],
];

const lists = [
  ['project', 'build', 'plugins', 'plugin', 'artifactId'],
  ['project', 'build', 'pluginManagement', 'plugins', 'plugin', 'artifactId'],
] as const;

/** Finds the phases that every Maven project has, and goals of well-known plugins. */
async function findMavenCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  if (!directory.names.includes(file)) return [];
  const reading = await directory.read(file, 'xml');
  const { program, why } = wrapperOf(directory, 'mvnw', 'mvn');
  const used = 'value' in reading ? lists.flatMap((list) => reading.value.texts(list)) : [];
  const phases = { build: 'package', test: 'test', lint: 'verify', clean: 'clean' } as const;
  return [
    ...Object.entries(phases).map(([task, phase]) => ({
      task: task as keyof typeof phases,
      command: `${program} ${phase}`,
      file,
      why: `a phase of Maven, and ${why}`,
    })),
    ...plugins
      .filter(([artifact]) => used.includes(artifact))
      .map(([artifact, task, goal]) => ({
        task,
        command: `${program} ${goal}`,
        file,
        why: `it uses ${artifact}`,
      })),
  ];
}

/** A wrapper in the directory or above it, within the root; else the program of the system. */
function wrapperOf(
  directory: BuildDirectory,
  wrapper: string,
  program: string,
): { program: string; why: string } {
  const found = nearest(directory, wrapper);
  return found === undefined
    ? { program, why: `there is no ${wrapper}` }
    : { program: found, why: `${found.replace(/^\.\//, '')} is there` };
}

const files = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'] as const;

/**
 * The plugin for programs: `id 'application'`, `apply plugin: 'application'`, or the bare word. Android has plugins of its
 * own, which run nothing.
 */
const forPrograms = /(?:["'(]|(?:^|[{;\n])\s{0,80})[`"']?application[`"']?(?=\s{0,80}[)};\n]|["'`]|$)/;

/** Plugins that add a task, by a word in their names. */
const gradlePlugins: readonly (readonly [string, RegExp, BuildCommand['task'], string])[] = [
  ['application', forPrograms, 'run', 'run'],
  ['org.springframework.boot', /org\.springframework\.boot/, 'run', 'bootRun'],
  ['spotless', /\bspotless\b/, 'format', 'spotlessApply'],
  ['ktlint', /\bktlint\b/, 'lint', 'ktlintCheck'],
  ['detekt', /\bdetekt\b/, 'lint', 'detekt'],
  ['checkstyle', /\bcheckstyle\b/, 'lint', 'checkstyleMain'],
];

/**
 * Finds the tasks that every Gradle build has. Best effort: build files are programs, and only plain words
 * are seen.
 */
async function findGradleCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, files);
  if (file === undefined) return [];
  const { program, why: how } = wrapperOf(directory, 'gradlew', 'gradle');
  const text = usedPlugins(await readBuildFile(directory, firstOf(directory, files.slice(0, 2))));
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
  const added = gradlePlugins
    .filter(([, pattern]) => pattern.test(text))
    .map(([plugin, , task, name]) => ({
      task,
      command: `${program} ${name}`,
      file,
      why: `it says ${plugin}`,
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
}

/** Leaves out comments, and plugins that are only named for subprojects. */
function usedPlugins(text: string): string {
  return text.replaceAll(/^[ \t]*\/\/.*$|^.*\bapply[ (]+false\b.*$/gm, '');
}

/** The lists of modules in a pom.xml; the last two since Maven 4. */
const mavenLists = [
  ['project', 'modules', 'module'],
  ['project', 'profiles', 'profile', 'modules', 'module'],
  ['project', 'subprojects', 'subproject'],
  ['project', 'profiles', 'profile', 'subprojects', 'subproject'],
] as const;

/** Returns the modules of a pom.xml, including those of profiles: directories, or a pom in one. */
export function readMavenMembers(xml: XmlDocument): readonly MemberRule[] {
  return mavenLists
    .flatMap((list) => xml.texts(list))
    .map((module) => ({ pattern: module.replace(/\/[^/]+\.xml$/, ''), literal: true }));
}

/**
 * Returns the projects that a settings.gradle or settings.gradle.kts includes. Best effort: the file is a
 * program, and only literal statements are seen; a loop over directories is not run. `include ':lib:core'`
 * means the directory lib/core unless a `projectDir` says otherwise.
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

/** `include ':a', ':b'` and `include(":a", ":b")`, over several lines if they end with a comma. */
const includes = /\binclude (?:\( )?(?<projects>"[^"]*"(?: , "[^"]*")*)/g;
const movedProject =
  /\bproject \( "(?<project>[^"]*)" \) \. projectDir = (?:new )?[fF]ile \( (?:(?:settingsDir|rootDir) , )?"(?<directory>[^"]*)"/g;

/** Returns the tokens separated by one space, without comments, so that patterns need not handle layout. */
function plainProgram(text: string): string {
  const tokens = [...text.matchAll(token)].map(({ 0: found, groups }) => {
    const string = groups?.['double'] ?? groups?.['single'];
    return string === undefined ? found : `"${string.replaceAll('"', '')}"`;
  });
  return tokens.filter((found) => !/^\/[/*]/.test(found)).join(' ');
}

const token = /"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\/\/.*|\w+|[^\s\w]/g;
