import { type BuildCommand, type BuildSystem } from './build-system.ts';

const file = 'pom.xml';

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

/** The phases that every project of Maven has, and goals of well-known plugins. */
export const maven: BuildSystem = {
  name: 'maven',
  async find({ names, read }) {
    if (!names.includes(file)) return [];
    const reading = await read(file, 'xml');
    const program = names.includes('mvnw') ? './mvnw' : 'mvn';
    const why = names.includes('mvnw') ? 'mvnw is there' : 'there is no mvnw';
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
  },
};
