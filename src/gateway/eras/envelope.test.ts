import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import {
  metaNames,
  readEnvelope,
  withCapability,
  withEnvelope,
  withMeta,
  withoutEnvelope,
} from './envelope.ts';

const introduction = { capabilities: { elicitation: {} }, info: { name: 'c', version: '1' } };

test('the names are those of the SDK', () => {
  expect(metaNames).toStrictEqual({
    version: PROTOCOL_VERSION_META_KEY,
    clientInfo: CLIENT_INFO_META_KEY,
    capabilities: CLIENT_CAPABILITIES_META_KEY,
    logLevel: LOG_LEVEL_META_KEY,
    serverInfo: SERVER_INFO_META_KEY,
    subscription: SUBSCRIPTION_ID_META_KEY,
  });
});

test('an introduction that was added is read back', () => {
  const params = withEnvelope({ name: 'x' }, { ...introduction, logLevel: 'info' });
  expect(readEnvelope(params)).toStrictEqual({ version: '2026-07-28', ...introduction, logLevel: 'info' });
  expect(params['name']).toBe('x');
});

test('metadata of the client stays, but not names that the gateway owns', () => {
  const params = { _meta: { progressToken: 1, traceparent: 't', [metaNames.capabilities]: { roots: {} } } };
  const added = withEnvelope(params, introduction);
  expect(added['_meta']).toMatchObject({ progressToken: 1, traceparent: 't' });
  expect(readEnvelope(added)?.capabilities).toStrictEqual(introduction.capabilities);
  expect(withoutEnvelope(added)).toStrictEqual({ _meta: { progressToken: 1, traceparent: 't' } });
});

test('metadata that is empty without the introduction goes with it', () => {
  expect(withoutEnvelope(withEnvelope({ a: 1 }, introduction))).toStrictEqual({ a: 1 });
  expect(withoutEnvelope(undefined)).toStrictEqual({});
});

test.each([undefined, null, 1, {}, { _meta: null }, { _meta: { [metaNames.version]: 1 } }])(
  '%j has no introduction',
  (params) => {
    expect(readEnvelope(params)).toBeUndefined();
  },
);

test('a capability is added beside the others', () => {
  const params = withCapability(withEnvelope({}, introduction), 'roots');
  expect(readEnvelope(params)?.capabilities).toStrictEqual({ elicitation: {}, roots: {} });
});

test('an entry of metadata is added beside the others', () => {
  expect(withMeta({ _meta: { a: 1 } }, 'b', 2)).toStrictEqual({ _meta: { a: 1, b: 2 } });
});
