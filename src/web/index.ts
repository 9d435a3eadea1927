export { openPageHost, type PageHost, type PageHostOptions } from './processes/open-page-host.ts';
export { openWeb, type Web, type WebOptions } from './open-web.ts';
