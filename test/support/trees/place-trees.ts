import { existsSync } from 'node:fs';
import { expect } from 'vitest';

/*
 * Before each test file: says where its trees are made. In memory a tree costs a tenth of the processor time, which
 * counts for rooms that make thousands of them. All others stay on the disk: rules know `/dev` as a place of the
 * system, and a sandbox has one of its own.
 */

const memory = '/dev/shm';
const rooms =
  /\/(?:src\/(?:audit|boundary\/(?:write|step|look)|tools\/(?:search|files\/directory-tree)|workspace\/(?:project|ecosystems))|test\/matrix)\b/;

const isInMemory = rooms.test(expect.getState().testPath ?? '') && process.env['SERVERS_APART'] !== '1';
if (isInMemory && existsSync(memory)) process.env['TMPDIR'] = memory;
else if (process.env['TMPDIR'] === memory) delete process.env['TMPDIR'];
