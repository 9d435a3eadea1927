#!/usr/bin/env node
/**
 * A server that reads, lists and searches the project that is open in the client, and cannot leave it.
 * Directories on the command line may always be reached.
 */
import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { attach } from 'rootward/server';
import { z } from 'zod';

const directories = process.argv.slice(2).map((directory) => resolve(directory));
const say = (text) => ({ content: [{ type: 'text', text }] });

serveStdio(() => {
  const server = new McpServer({ name: 'guarded-server', version: '1.0.0' });
  const rootward = attach(server, {
    preflight: true,
    tools: true,
    ...(directories.length > 0 && { ceiling: directories }),
  });

  server.registerTool(
    'read_file',
    { description: 'Reads a text file', inputSchema: z.object({ path: z.string() }) },
    ({ path }, ctx) =>
      rootward.access(ctx, { operation: 'read', path }, async ({ boundary, relative }) =>
        say(await boundary.readText(relative)),
      ),
  );

  server.registerTool(
    'list_directory',
    { description: 'Lists a directory', inputSchema: z.object({ path: z.string().default('.') }) },
    ({ path }, ctx) =>
      rootward.access(ctx, { operation: 'list', path }, async ({ boundary, relative }) => {
        const { entries } = await boundary.list(relative);
        return say(entries.map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name)).join('\n'));
      }),
  );

  server.registerTool(
    'search',
    { description: 'Finds lines with a text', inputSchema: z.object({ text: z.string().min(1) }) },
    ({ text }, ctx) =>
      rootward.access(ctx, { operation: 'list', path: '.' }, async ({ boundary, relative }) => {
        const found = [];
        const options = { gitignore: true, entries: 10_000, signal: ctx.mcpReq.signal };
        for await (const { path, kind } of boundary.walk(relative, options)) {
          const content = kind === 'file' ? await boundary.readText(path).catch(() => '') : '';
          for (const [index, line] of content.split('\n').entries())
            if (line.includes(text)) found.push(`${path}:${index + 1}: ${line.trim()}`);
        }
        return say(found.slice(0, 100).join('\n') || 'Nothing found');
      }),
  );
  return server;
});
