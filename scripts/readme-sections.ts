import { app } from '../src/cli/rootward-command.ts';
import { ownTools } from '../src/server/call/own-tools.ts';
import { allTools } from '../src/tools/all-tools.ts';
import { createShell } from '../src/tools/shell.ts';
import type { Tool } from '../src/tools/tool/tool.ts';
import { allProfiles } from '../src/workspace/profiles/all-profiles.ts';
import { speedSection } from './readme-speed.ts';

/** Parts of the README that are made of code and data. The text between two marks is replaced. */
export const sections: { readonly [Name in 'install' | 'tools' | 'commands' | 'speed']: () => string } = {
  install: installSection,
  tools: toolsSection,
  commands: commandsSection,
  speed: speedSection,
};

/** Puts every section into its place. */
export function fillSections(readme: string): string {
  return Object.entries(sections).reduce((text, [name, write]) => fill(text, name, write()), readme);
}

function fill(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: made by npm run readme -->`, `<!-- /${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`README.md has no place for "${name}"`);
  return `${text.slice(0, start + begin.length)}\n\n${content}\n\n${text.slice(stop)}`;
}

const standard = { command: 'npx', args: ['-y', 'rootward'] } as const;

/** Where `rootward serve DIR --http :3917` listens. */
const overHttp = {
  type: 'http',
  url: 'http://127.0.0.1:3917/mcp',
  headers: { Authorization: 'Bearer THE_TOKEN' },
} as const;

function json(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}

function installSection(): string {
  return [
    `[![Add to VS Code](https://img.shields.io/badge/VS_Code-add-0098FF)](${vsCodeLink()})`,
    `[![Add to Cursor](https://img.shields.io/badge/Cursor-add-000000)](${cursorLink()})`,
    '',
    'The entry that every client understands:',
    '',
    json({ mcpServers: { rootward: standard } }),
    '',
    '| client | how to add it | the project |',
    '| --- | --- | --- |',
    ...allProfiles
      .flatMap(({ install }) => install ?? [])
      .map(({ name, add, project }) => `| ${name} | ${add} | ${project} |`),
    '',
    'Zed uses other keys:',
    '',
    json({ context_servers: { rootward: standard } }),
    '',
    'For Streamable HTTP, give the client the address and the token. `rootward serve DIR --http :3917` prints the token when it starts, unless you set one. VS Code says `servers` where others say `mcpServers`:',
    '',
    json({ mcpServers: { rootward: overHttp } }),
  ].join('\n');
}

export function vsCodeLink(): string {
  return `https://vscode.dev/redirect/mcp/install?name=rootward&config=${encodeURIComponent(JSON.stringify(standard))}`;
}

export function cursorLink(): string {
  const config = Buffer.from(JSON.stringify(standard)).toString('base64');
  return `https://cursor.com/en/install-mcp?name=rootward&config=${encodeURIComponent(config)}`;
}

interface Row {
  readonly name: string;
  readonly description: string;
  readonly effect: string;
}

function toolsSection(): string {
  const rows: readonly Row[] = [
    ...[...allTools, ...shellTool()].map(({ name, description, annotations }) => ({
      name,
      description,
      effect: effectOf(annotations),
    })),
    ...Object.values(ownTools).map(({ name, description, annotations }) => ({
      name,
      description,
      effect: effectOf(annotations),
    })),
  ];
  return [
    '| tool | effect | what it does |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ name, effect, description }) => `| \`${name}\` | ${effect} | ${firstSentence(description)} |`,
    ),
  ].join('\n');
}

/** As it is where it can be confined. */
function shellTool(): readonly Tool[] {
  const confinement = { kind: 'bubblewrap', program: '', version: '', refusesNesting: true } as const;
  const shell = createShell({ confinement });
  return shell === undefined ? [] : [shell];
}

function effectOf(annotations: object): string {
  const { readOnlyHint, destructiveHint } = annotations as Readonly<Record<string, unknown>>;
  if (readOnlyHint === true) return 'reads';
  return destructiveHint === true ? 'changes' : 'adds';
}

function firstSentence(text: string): string {
  return (/^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll('\n', ' ').replaceAll(/[|*_]/g, '\\$&');
}

type Routes = (typeof app)['root'];

function commandsSection(): string {
  return [
    '| command | what it does |',
    '| --- | --- |',
    ...entriesOf(app.root).map(({ name, target }) => {
      const nested = entriesOf(target).map((entry) => `\`${entry.name.original}\``);
      const brief = [target.brief, ...(nested.length > 0 ? [nested.join(', ')] : [])].join(': ');
      return `| \`rootward ${name.original}\` | ${brief} |`;
    }),
  ].join('\n');
}

function entriesOf(target: Routes): ReturnType<Extract<Routes, { getAllEntries: unknown }>['getAllEntries']> {
  return 'getAllEntries' in target ? target.getAllEntries() : [];
}
