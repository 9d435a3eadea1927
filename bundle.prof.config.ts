import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';
import { narrowChunks } from './scripts/narrow-chunks.ts';
import { pruneDeclarations } from './scripts/prune-declarations.ts';

/** The rooms that every command needs. */
const rooms = /\/src\/(?:errors|base|path|boundary|workspace|policy\/merge|audit)\b/;

/** What starts other programs, which few commands do. */
const programs = /\/boundary\/process\//;

/** Policies and the readers of files, with Zod and a JSON parser: `where`, `find` and `--help` need none of them. */
const rules =
  /\/src\/(?:policy|access|config|audit\/create-entry|workspace\/profiles\/parse|base\/(?:parse|read|nearest))/;

function isRule(id: string): boolean {
  return rules.test(id) && !id.includes('/policy/merge');
}

function isShared(id: string): boolean {
  return rooms.test(id) && !programs.test(id) && !isRule(id);
}

/**
 * The command as one program. A client waits for it at every start, and hundreds of small modules take longer to
 * find than to run. The libraries stay as they are, module by module: they share the SDK and zod with the program
 * that imports them, and the command would start much later if it had to find these.
 */
const config: UserConfig = defineConfig({
  publicDir: false,
  logLevel: 'warn',
  plugins: [narrowChunks(), pruneDeclarations()],
  ssr: {
    noExternal: true,
    // What is not there on every system, or is needed by few and large.
    external: ['@vscode/ripgrep', 'fs-native-extensions', 'watchpack'],
  },
  resolve: {
    alias: {
      '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('src/cli/sdk-shims.ts', import.meta.url)),
    },
  },
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist/cli', sourcemap: true,
    emptyOutDir: true,
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Many modules are loaded late by one command and at once by another.
      checks: { ineffectiveDynamicImport: false },
      external: [/^rootward\//],
      output: {
        // The names of functions and classes stay, so that a stack trace can be read without a source map.
        minify: false,
        chunkFileNames: '[name].js',
        // What several commands need is one file: it costs less to read all of it than to look for each part.
        codeSplitting: {
          groups: [
            { name: 'shared', test: isShared, minShareCount: 2 },
            { name: 'rules', test: isRule, minShareCount: 2 },
          ],
        },
      },
    },
  },
});

export default config;
