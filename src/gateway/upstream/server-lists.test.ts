import { expect, test } from 'vitest';
import { frameOf } from '../relay/wire-frame.ts';
import { ServerLists } from './server-lists.ts';

test('only lists that the client has seen and that differ are reported', async () => {
  const lists = new ServerLists();
  const note = (method: string, params: object, result: object): void =>
    lists.note(
      frameOf({ jsonrpc: '2.0', id: 1, method, params }),
      frameOf({ jsonrpc: '2.0', id: 1, result }),
    );
  note('tools/list', {}, { tools: [1] });
  note('prompts/list', {}, { prompts: [] });
  note('resources/list', { cursor: 'x' }, { resources: [2] });
  note('tools/call', {}, {});
  const asked: string[] = [];
  const ask = async (method: string): Promise<unknown> => {
    asked.push(method);
    return method === 'tools/list' ? { tools: [] } : { prompts: [] };
  };
  expect(await lists.changed(ask)).toEqual(['notifications/tools/list_changed']);
  expect(asked).toEqual(['tools/list', 'prompts/list']);
  expect(await lists.changed(ask)).toEqual([]);
  expect(await lists.changed(() => Promise.reject(new Error('no')))).toHaveLength(2);
});
