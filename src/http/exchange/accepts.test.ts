import { expect, test } from 'vitest';
import { isJson, readAccept } from './accepts.ts';

test.each<[string | undefined, boolean, boolean]>([
  [undefined, true, true],
  ['*/*', true, true],
  ['application/json, text/event-stream', true, true],
  ['Application/JSON;q=0.9', true, false],
  ['text/event-stream', false, true],
  ['application/*', true, false],
  ['text/html', false, false],
  ['', false, false],
])('%s takes JSON: %s, and streams: %s', (header, json, stream) => {
  expect(readAccept(header)).toEqual({ json, stream });
});

test.each<[string | undefined, boolean]>([
  ['application/json', true],
  [' Application/JSON ; charset=utf-8', true],
  ['application/jsonp', false],
  ['application/json-patch+json', false],
  ['text/plain; application/json', false],
  ['', false],
  [undefined, false],
])('%j is JSON: %s', (type, expected) => {
  expect(isJson(type)).toBe(expected);
});
