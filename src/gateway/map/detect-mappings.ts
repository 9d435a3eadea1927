import { findContainerMounts } from './container-mounts.ts';
import { devcontainerFolder, findDevcontainerMounts } from './devcontainer.ts';
import type { PathMapping } from './path-map.ts';
import { platformOf } from './read-mapping.ts';
import { findWslMappings, wslDistribution } from './wsl.ts';

/** The command of a server, and the places where its names of directories may be found. */
export interface MappingFacts {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text file; `undefined` if there is none. */
  readonly readText: (file: string) => Promise<string | undefined>;
  /** Reads the mount table of this system; `undefined` if it has none. */
  readonly readMounts: () => Promise<string | undefined>;
}

/**
 * Finds the directories that a server has under other names: one in a container or a development container, one in
 * Linux that a client on Windows starts, and one on Windows that a client in Linux starts.
 */
export async function detectMappings(facts: MappingFacts): Promise<readonly PathMapping[]> {
  const { command } = facts;
  const distribution = wslDistribution(command);
  // The default distribution has a name too, but the command line does not show it.
  if (distribution !== undefined) {
    return distribution === '' ? [] : findWslMappings({ distribution, linux: 'server' });
  }
  return [...findContainerMounts(command), ...(await inDevcontainer(facts)), ...(await onWindows(facts))];
}

/** Where a configuration is looked for, in the order of the specification. */
const configFiles = ['.devcontainer/devcontainer.json', '.devcontainer.json'];

async function inDevcontainer({ command, readText }: MappingFacts): Promise<readonly PathMapping[]> {
  const folder = devcontainerFolder(command);
  if (folder === undefined || platformOf(folder) === undefined) return [];
  for (const file of configFiles) {
    const config = await readText(`${folder}/${file}`);
    if (config !== undefined) return findDevcontainerMounts(config, folder);
  }
  return [];
}

async function onWindows(facts: MappingFacts): Promise<readonly PathMapping[]> {
  const { WSL_DISTRO_NAME: distribution } = facts.environment;
  const [program = ''] = facts.command;
  if (distribution === undefined || !/\.exe$/i.test(program)) return [];
  const mountinfo = await facts.readMounts();
  return findWslMappings({ distribution, linux: 'client', ...(mountinfo !== undefined && { mountinfo }) });
}
