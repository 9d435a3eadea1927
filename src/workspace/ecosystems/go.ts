import { type BuildCommand, type BuildDirectory, firstOf } from './record/build-system.ts';
import { declareByText, type MemberRule } from './record/declaration.ts';
import type { Ecosystem } from './record/ecosystem.ts';

export const go: Ecosystem = {
  name: 'go',
  markers: [
    { file: 'go.work', members: declareByText(readGoMembers) },
    {
      file: 'go.mod',
      name: {
        format: 'text',
        // The last name of the path, without the major version: `/v2`, and `.v2` as in gopkg.in.
        pattern:
          /^module[ \t]+["`]?(?:[^\s"`]+\/)?(?!v\d+(?:["`\s]|$))(?<name>[^\s"`/]+?)(?:\.v\d+)?(?:\/v\d+)?(?:["`\s]|$)/m,
      },
    },
  ],
  build: { name: 'go', title: 'Go', find: findGoCommands },
  languages: { Go: 'go' },
  entryPoints: ['main.go'],
};

/** Finds the commands of Go, which every module has. */
async function findGoCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, ['go.mod', 'go.work']);
  if (file === undefined) return [];
  const { names } = directory;
  const linter = firstOf(directory, ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']);
  const why = file === 'go.mod' ? 'it is a module' : 'it is a workspace of modules';
  const commands: readonly BuildCommand[] = [
    { task: 'build', command: 'go build ./...', file, why },
    { task: 'test', command: 'go test ./...', file, why },
    { task: 'lint', command: 'go vet ./...', file, why: 'it comes with Go' },
    { task: 'format', command: 'gofmt -l -w .', file, why: 'it comes with Go' },
  ];
  return [
    ...commands,
    ...(linter === undefined
      ? []
      : [
          {
            task: 'lint',
            command: 'golangci-lint run',
            file: linter,
            why: 'it configures the linter',
          } as const,
        ]),
    ...(names.includes('main.go')
      ? [{ task: 'run', command: 'go run .', file: 'main.go', why: 'there is a main.go' } as const]
      : []),
  ];
}

/** Returns the `use` lines of a go.work, single or as a block. */
export function readGoMembers(text: string): readonly MemberRule[] {
  const rules: MemberRule[] = [];
  let inUse = false;
  for (const line of text.split('\n')) {
    const [first = '', second] = wordsOf(line);
    if (inUse && first !== ')' && first !== '') rules.push({ pattern: first, literal: true });
    if (first === ')') inUse = false;
    if (inUse || first !== 'use' || second === undefined) continue;
    if (second === '(') inUse = true;
    else rules.push({ pattern: second, literal: true });
  }
  return rules;
}

/** Splits a line into words, without its comment; quotes and backquotes keep spaces within a word. */
function wordsOf(line: string): readonly string[] {
  const words = line.matchAll(
    /\/\/.*|"(?<quoted>[^"]*)"|`(?<raw>[^`]*)`|(?<bracket>[()])|(?<word>[^\s"`()]+)/g,
  );
  return [...words]
    .map(({ groups }) => groups?.['quoted'] ?? groups?.['raw'] ?? groups?.['bracket'] ?? groups?.['word'])
    .filter((word) => word !== undefined);
}
