import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { dataResult, refusalAsProtocolError, refusalResult } from './refusal-result.ts';

const error = new RootwardError('CLOSED', { root: 'app' });

test('a refusal has message and hint as text, and everything as data', () => {
  expect(refusalResult(error)).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: `${error.message}\n${error.hint}` }],
    structuredContent: {
      error: { code: 'CLOSED', message: error.message, hint: error.hint, data: { root: 'app' } },
    },
  });
});

test('a refusal of a tool with an output schema has no structured content', () => {
  const result = refusalResult(error, { hasOutputSchema: true });
  expect(result).not.toHaveProperty('structuredContent');
  expect(result).toMatchObject({ _meta: { 'rootward/error': { code: 'CLOSED' } } });
});

test('does not reveal the cause', () => {
  const failed = new RootwardError('CLOSED', { root: 'app' }, { cause: new Error('/secret/place') });
  expect(JSON.stringify(refusalResult(failed))).not.toContain('secret');
  expect(JSON.stringify(refusalAsProtocolError(failed))).not.toContain('secret');
});

test('returns data as structured content and as text', () => {
  const data = { a: [1, 2], b: 'c' };
  const result = dataResult(data, 'in words');
  expect(result.structuredContent).toEqual(data);
  expect(result.content).toEqual([{ type: 'text', text: 'in words' }]);
  expect(result.isError).toBeUndefined();
});

test('a protocol error has a numeric code', () => {
  expect(refusalAsProtocolError(error)).toMatchObject({
    code: -32602,
    message: `${error.message}. ${error.hint}`,
    data: { code: 'CLOSED' },
  });
});
