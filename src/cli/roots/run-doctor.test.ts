import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';

describe('rootward roots doctor', () => {
  test('reports no problems if there are none', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {2}1 root in /),
    });
  });

  test('reports problems, each with a command that helps', async () => {
    using home = ownHome(['my app/']);
    await home.run('add', 'my app');
    rmSync(home.at('my app'), { recursive: true });
    const { code, stdout } = await home.run('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain('it does not exist');
    expect(stdout).toContain("rootward roots remove 'my app'");
  });

  test('passes with warnings', async () => {
    using home = ownHome(['app/inner/']);
    await home.run('add', 'app', 'app/inner');
    expect(await home.run('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('it lies in'),
    });
  });

  test('prints JSON', async () => {
    using home = ownHome();
    await home.run('add', '/etc', '--force');
    const { stdout, code } = await home.run('doctor', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      roots: 1,
      findings: [{ root: 'etc', code: 'sensitive', severity: 'error', remedy: 'rootward roots remove etc' }],
    });
  });

  test('reports where the store file is damaged', async () => {
    using home = ownHome();
    writeFileSync(home.file, '{\n  "version": 1,\n  "roots": [,]\n}');
    expect(await home.run('doctor')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('line 3, column'),
    });
  });
});
