import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openShown } from './shown-places.ts';

const request = { operation: 'execute', verb: 'run a program in', path: '.' } as const;

describe.each(drivers)('places that a sandbox shows, with the %s driver', (_name, driver) => {
  test('are held: directories, files, targets of links, but not missing ones', () => {
    using tree = tempTree(['app/', 'sdk/bin/tool', 'current => sdk']);
    using context = openContext(tree.at('app'), { driver });
    const paths = ['sdk', 'current/bin', 'sdk/bin/tool', 'nowhere'].map((path) => tree.at(path));
    using shown = openShown(context, paths, request);
    const identityAt = (path: string): string => {
      const { dev, ino } = statSync(path, { bigint: true });
      return `${dev}:${ino}`;
    };
    expect(shown.places.map(({ path, held }) => [path, driver.identityOf(held)])).toEqual(
      paths.slice(0, 3).map((path) => [path, identityAt(path)]),
    );
  });

  test('do not lead out of a root', () => {
    using tree = tempTree([
      'app/',
      'other/sdk => ../outside',
      'other/own => tools',
      'other/tools/',
      'outside/',
    ]);
    using other = openContext(tree.at('other'), { driver });
    const tops = new Map([[driver.identityOf(other.top), tree.at('other')]]);
    using context = openContext(tree.at('app'), { driver, tops });
    {
      using shown = openShown(context, [tree.at('other/own'), tree.at('outside')], request);
      expect(shown.places).toHaveLength(2);
    }
    const before = openHandles(tree.path).length;
    expect(() => openShown(context, [tree.at('other/own'), tree.at('other/sdk')], request)).toThrow(
      expect.objectContaining({ code: 'CANNOT_CONFINE' }),
    );
    expect(openHandles(tree.path)).toHaveLength(before);
  });
});
