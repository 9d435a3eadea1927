/** Lets an example find `rootward` as its users do, in the source as it was compiled for the tests. */
import { register } from 'node:module';

const hooks = `
  export async function resolve(specifier, context, next) {
    const [, , room] = /^rootward(\\/(.+))?$/.exec(specifier) ?? [];
    if (!/^rootward(\\/|$)/.test(specifier)) return next(specifier, context);
    const file = room === undefined ? 'index.js' : room + '/index.js';
    return next(new URL(file, ${JSON.stringify(new URL('../../../.build/src/', import.meta.url).href)}).href, context);
  }
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
