import { defineConfig, type UserConfig } from 'vite';

/**
 * The command as one program. A client waits for it at every start, and hundreds of small modules take longer to
 * find than to run. The libraries stay as they are, module by module.
 */
const config: UserConfig = defineConfig({
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['@vscode/ripgrep', 'fs-native-extensions', 'watchpack'] },
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist/cli',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      external: [/^rootward\//],
      output: { chunkFileNames: '[name].js' },
    },
  },
});

export default config;
