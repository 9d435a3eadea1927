import { describe, expect, test } from 'vitest';
import { findContainerMounts, startsContainer } from './container-mounts.ts';
import type { PathMapping } from './path-map.ts';

const pairs = (mappings: readonly PathMapping[]): readonly (readonly string[])[] =>
  mappings.map(({ client, server }) => [client.path, server.path]);

describe('P11: the command line of a container', () => {
  const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ['docker run -i --rm -v /a:/b image', [['/a', '/b']]],
    ['docker run -iv /a:/b image', [['/a', '/b']]],
    ['docker run -v/a:/b:ro,z image', [['/a', '/b']]],
    [
      'docker run --volume=/a:/b --volume /c:/d image',
      [
        ['/a', '/b'],
        ['/c', '/d'],
      ],
    ],
    ['podman.exe run -v C:\\a:/b:ro image', [['C:\\a', '/b']]],
    ['/usr/bin/docker run -v C:/a:D:\\b image', [['C:\\a', 'D:\\b']]],
    ['docker run --mount type=bind,src=/a,dst=/b,readonly image', [['/a', '/b']]],
    ['docker run --mount=type=bind,source=/a,target=/b image', [['/a', '/b']]],
    ['docker run --mount destination=/b,source="/a",type=bind image', [['/a', '/b']]],
    ['docker --context x run --name run -v /a:/b image', [['/a', '/b']]],
    ['docker run -v data:/b image', []],
    ['docker run -v ./a:/b image', []],
    ['docker run -v /b image', []],
    ['docker run --mount type=volume,src=data,dst=/b image', []],
    ['docker run --mount type=tmpfs,dst=/b image', []],
    ['docker run -e X=1 image -v /a:/b', []],
    ['docker run image', []],
    ['docker exec -v /a:/b x', []],
    ['node run -v /a:/b', []],
  ];
  test.each(cases)('%s', (command, mounts) => {
    expect(pairs(findContainerMounts(command.split(' ')))).toStrictEqual(mounts);
  });

  test('is that of docker or podman with run', () => {
    expect(startsContainer(['C:\\bin\\docker.exe', 'run', 'x'])).toBe(true);
    expect(startsContainer(['docker', 'ps'])).toBe(false);
    expect(startsContainer([])).toBe(false);
  });
});
