import type { PathMapping, MappingSource } from './path-map.ts';
import { readPlace, toMapping } from './read-mapping.ts';

/**
 * Finds the directories that a `docker run` or `podman run` command line shares with its container. Named volumes and
 * relative sources share no directory that the client could name, so they are left out.
 *
 * @example
 * ```ts
 * const [found] = findContainerMounts(['docker', 'run', '-i', '-v', 'C:\\app:/work:ro', 'image']);
 * found.client.path // → 'C:\\app'
 * found.server.path // → '/work'
 * ```
 */
export function findContainerMounts(command: readonly string[]): readonly PathMapping[] {
  const options = optionsOf(command);
  return options.flatMap(([name, value]) => {
    if (name === '-v' || name === '--volume') return readVolume(value);
    return name === '--mount' ? readMount(value, 'container') : [];
  });
}

/** Whether a command line starts a container with `docker` or `podman`. */
export function startsContainer([program = '', ...words]: readonly string[]): boolean {
  const [, name] = /([^\\/]+?)(?:\.exe)?$/i.exec(program) ?? [];
  return (name === 'docker' || name === 'podman') && words.includes('run');
}

/** Options of `run` that stand alone. All others are followed by a value, or have it after `=`. */
const alone = new Set(
  (
    '--detach --disable-content-trust --help --init --interactive --no-healthcheck --oom-kill-disable ' +
    '--privileged --publish-all --quiet --read-only --rm --sig-proxy --tty --use-api-socket --replace ' +
    '--rmi --tls-verify --no-hosts --no-hostname --env-host --http-proxy'
  ).split(' '),
);

/** The options of `run` with their values. The first word that is no option is the image, where they end. */
function optionsOf(command: readonly string[]): readonly (readonly [name: string, value: string])[] {
  if (!startsContainer(command)) return [];
  const words = command.slice(command.indexOf('run', 1) + 1);
  const options: (readonly [string, string])[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-') || word === '--') break;
    const option = readOption(word);
    if (option.value === undefined && option.takesValue) index += 1;
    options.push([option.name, option.value ?? words[index] ?? '']);
  }
  return options;
}

interface ReadOption {
  readonly name: string;
  readonly takesValue: boolean;
  /** The value, if it stands in the same word. */
  readonly value?: string;
}

function readOption(word: string): ReadOption {
  if (word.startsWith('--')) {
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    return { name, takesValue: !alone.has(name), ...(value !== undefined && { value }) };
  }
  const [, taker, rest] = /^-[dihtPq]*([^dihtPq])(.*)$/s.exec(word) ?? [];
  if (taker === undefined) return { name: word, takesValue: false };
  const value = rest?.replace(/^=/, '') ?? '';
  return { name: `-${taker}`, takesValue: true, ...(value !== '' && { value }) };
}

/** `source:target[:options]`. The colon after the letter of a Windows drive does not count. */
function readVolume(value: string): readonly PathMapping[] {
  const [, source = '', target = ''] =
    /^((?:[A-Za-z]:[\\/])?[^:]*):((?:[A-Za-z]:[\\/])?[^:]*)/.exec(value) ?? [];
  return toMapping(readPlace(source), readPlace(target), 'container');
}

/** `type=bind,source=…,target=…`, in any order and with any of the names that docker takes. */
export function readMount(value: string, source: MappingSource): readonly PathMapping[] {
  const fields = new Map(
    value.split(',').map((field) => {
      const cut = field.indexOf('=');
      return [
        field
          .slice(0, cut === -1 ? undefined : cut)
          .trim()
          .toLowerCase(),
        cut === -1 ? '' : unquote(field.slice(cut + 1)),
      ] as const;
    }),
  );
  if (fields.get('type') !== 'bind') return [];
  const from = fields.get('source') ?? fields.get('src') ?? '';
  const to = fields.get('target') ?? fields.get('destination') ?? fields.get('dst') ?? '';
  return toMapping(readPlace(from), readPlace(to), source);
}

function unquote(text: string): string {
  return text.trim().replace(/^"(.*)"$/s, '$1');
}
