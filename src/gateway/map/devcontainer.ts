import { type Fields, fieldsOf } from '../../base/fields.ts';
import { parseJsonc } from '../../base/parse-jsonc.ts';
import { splitPath } from '../../path/split-path.ts';
import { readMount } from './container-mounts.ts';
import type { PathMapping, MappedPlace } from './path-map.ts';
import { readPlace, toMapping } from './read-mapping.ts';

/**
 * Finds the directories that a development container shares with its host, from the text of its `devcontainer.json`
 * and the folder that it was opened for. Variables other than those of that folder are not known here: a mount that
 * uses one is left out.
 *
 * @example
 * ```ts
 * const [found] = findDevcontainerMounts('{ "image": "x" }', '/home/me/app');
 * found.server.path // → '/workspaces/app'
 * ```
 */
export function findDevcontainerMounts(config: string, folder: string): readonly PathMapping[] {
  const parsed = parseJsonc(config);
  const local = readPlace(folder);
  if ('fault' in parsed || 'fault' in local) return [];
  const fields = fieldsOf(parsed.value);
  return [...workspaceMount(fields, local), ...otherMounts(fields, local)];
}

/** Finds the command that runs in a development container, and its folder on the host. */
export function devcontainerFolder([program = '', ...words]: readonly string[]): string | undefined {
  if (!/(?:^|[\\/])devcontainer(?:\.cmd|\.exe)?$/i.test(program) || words[0] !== 'exec') return undefined;
  const at = words.findIndex((word) => word.startsWith('--workspace-folder'));
  const [, value] = /^--workspace-folder=(.*)$/s.exec(words[at] ?? '') ?? [];
  return at === -1 ? undefined : (value ?? words[at + 1]);
}

/** With Compose the mounts are in another file; otherwise the folder is mounted below `/workspaces`. */
function workspaceMount(fields: Fields, local: MappedPlace): readonly PathMapping[] {
  const { workspaceMount: mount, dockerComposeFile: compose } = fields;
  if (typeof mount === 'string') return readMount(expand(mount, local), 'devcontainer');
  if (compose !== undefined) return [];
  return toMapping(local, readPlace(`/workspaces/${nameOf(local)}`), 'devcontainer');
}

function otherMounts({ mounts }: Fields, local: MappedPlace): readonly PathMapping[] {
  if (!Array.isArray(mounts)) return [];
  return mounts.flatMap((mount: unknown) => {
    if (typeof mount === 'string') return readMount(expand(mount, local), 'devcontainer');
    const { type, source, target } = fieldsOf(mount);
    if (type !== 'bind' || typeof source !== 'string' || typeof target !== 'string') return [];
    const [from, to] = [expand(source, local), expand(target, local)];
    return toMapping(readPlace(from), readPlace(to), 'devcontainer');
  });
}

function expand(text: string, local: MappedPlace): string {
  const values: Readonly<Partial<Record<string, string>>> = {
    localWorkspaceFolder: local.path,
    localWorkspaceFolderBasename: nameOf(local),
  };
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function nameOf({ platform, path }: MappedPlace): string {
  const split = splitPath(path, platform);
  return ('fault' in split ? undefined : split.components.at(-1)) ?? '';
}
