import type { Plugin } from 'vite';

/**
 * Writes what is beyond Latin-1 as escapes. V8 keeps a text with one byte per character or with two, and a single
 * `…` doubles a whole chunk in memory. Inside and outside of strings an escape means the same.
 */
export function narrowChunks(): Plugin {
  return {
    name: 'narrow-chunks',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[\u0100-\uFFFF]/g, escape);
      }
    },
  };
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
