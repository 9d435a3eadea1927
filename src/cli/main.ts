#!/usr/bin/env node
import { nodeFault } from './node-fault.ts';

const fault = nodeFault(process.versions.node);
if (fault === undefined) {
  // Loaded after the check: an older Node.js cannot even parse the rest.
  const { runMain } = await import('./run-main.ts');
  await runMain();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 3;
}
