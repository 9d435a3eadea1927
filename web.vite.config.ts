import { defineConfig, type UserConfig } from 'vite';

/** The page of `rootward web`: one script and one style sheet, nothing inline, nothing from elsewhere. */
const config: UserConfig = defineConfig({
  root: 'src/web/page',
  base: './',
  publicDir: 'public',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../dist/web/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

export default config;
