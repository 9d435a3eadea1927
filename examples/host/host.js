#!/usr/bin/env node
/**
 * A host: it starts two servers, shows them the roots of a store, and prints what each one sees after every
 * grant and every revocation. `node host.js STORE DIRECTORY DIRECTORY`
 */
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expose, findRootIssues, openRootStore } from 'rootward/client';

const [file, first, second] = process.argv.slice(2).map((path) => resolve(path));
if (second === undefined) {
  process.stderr.write('Usage: node host.js STORE DIRECTORY DIRECTORY\n');
  process.exit(2);
}
const { resolve: find } = createRequire(import.meta.url);
const own = process.env['ROOTWARD'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const node = (...args) => ({ command: process.execPath, args });
const say = (text) => process.stdout.write(`${text}\n`);

const servers = {
  // What the client lists is all that counts, and nothing of the person's own store.
  rootward: { ...node(own, 'serve', '--no-store', '--merge', 'client'), look: 'list_roots' },
  // It wants a directory to begin with, and forgets it as soon as it hears of roots.
  filesystem: {
    ...node(find('@modelcontextprotocol/server-filesystem/dist/index.js'), second),
    look: 'list_allowed_directories',
  },
};

const store = await openRootStore({ file });
const connected = await Promise.all(Object.entries(servers).map(([name, server]) => connect(name, server)));

await step('granted', async () => {
  const issues = await findRootIssues([first, second]);
  for (const { severity, message } of issues) say(`  ${severity}: ${message}`);
  const isFine = (_path, at) => !issues.some(({ index, severity }) => index === at && severity === 'error');
  // One change, so that servers are told once.
  await store.addAll([first, second].filter(isFine));
});
await write('written without permission');
await step('permitted to write', () => store.allow(first, { operations: ['write'] }));
await write('written with permission');
// No call for this one: `expose` notices by itself.
await step('moved away', () => rename(second, `${second}.away`));
await step('back', () => rename(`${second}.away`, second));
await step('hidden from filesystem', () => store.deny(first, { server: 'filesystem' }));
await step('revoked', () => store.remove(first));

for (const { client, detach } of connected) {
  detach();
  await client.close();
}
await store.close();

async function connect(name, { command, args, look }) {
  const client = new Client({ name: 'host', version: '1.0.0' });
  // Before it connects: that is when a client says what it can do.
  const detach = expose(client, store, { server: { name, command, args } });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  const call = async (tool, input = {}) => {
    const { isError = false, content } = await client.callTool({ name: tool, arguments: input });
    return { isError, text: content[0]?.text ?? '' };
  };
  return { name, client, detach, call, look: async () => placesIn((await call(look)).text) };
}

/** Which of the two directories a server talks of. */
function placesIn(text) {
  const names = { first, second };
  return Object.keys(names).filter((name) => text.includes(names[name]));
}

async function step(title, change) {
  const before = await Promise.all(connected.map(({ look }) => look()));
  await change();
  say(title);
  for (const [index, { name, look }] of connected.entries()) {
    // Another author's server learns of it by a notification, in its own time.
    let seen = await look();
    for (let tries = 0; tries < 20 && String(seen) === String(before[index]); tries += 1) {
      await wait(50);
      seen = await look();
    }
    say(`  ${name} sees ${seen.join(' and ') || 'nothing'}`);
  }
}

/** Permissions travel with the roots; only a server that knows of them keeps to them. */
async function write(title) {
  say(title);
  for (const { name, call } of connected) {
    const { isError } = await call('write_file', { path: `${first}/${name}.txt`, content: 'x' });
    say(`  ${name} ${isError ? 'refused' : 'did it'}`);
  }
}
