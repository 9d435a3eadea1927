export { openWeb, type Web, type WebOptions } from './open-web.ts';
