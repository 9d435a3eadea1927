#!/usr/bin/env node
import { runCli } from './run-cli.ts';

const { stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), {
  process: { stdout, stderr, env },
  cwd: process.cwd(),
});
