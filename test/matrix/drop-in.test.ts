import type { Client } from '@modelcontextprotocol/client';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type ContractCase,
  refusedCases,
  sameCases,
  tree,
} from '../support/peers/contract-cases.ts';
import { differences } from '../support/peers/contract-differences.ts';
import { type ServedTree, serveOurs, serveReference } from '../support/peers/two-servers.ts';

let theirs: ServedTree;
let ours: ServedTree;

beforeAll(async () => {
  theirs = await serveReference(tree);
  ours = await serveOurs(tree);
});

afterAll(async () => {
  await theirs[Symbol.asyncDispose]();
  await ours[Symbol.asyncDispose]();
});

/** The same call to both, on two equal trees. */
async function callBoth(
  contractCase: ContractCase,
): Promise<{ readonly theirs: Outcome; readonly ours: Outcome }> {
  return { theirs: await outcomeOf(theirs, contractCase), ours: await outcomeOf(ours, contractCase) };
}

async function outcomeOf(served: ServedTree, { tool, input, files = [] }: ContractCase): Promise<Outcome> {
  served.reset();
  const result = (await served.call(tool, input)) as Result;
  return { result, files: files.map((name) => contentOf(join(served.root, name))) };
}

interface Result {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface Outcome {
  readonly result: Result;
  readonly files: readonly (string | undefined)[];
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

describe('the same answer, field by field', () => {
  test.each(Object.entries(sameCases))('%s', async (_name, contractCase) => {
    const both = await callBoth(contractCase);
    expect(both.theirs.result.isError).toBeUndefined();
    expect(both.ours).toEqual(both.theirs);
  });
});

describe('both refuse, and change nothing', () => {
  test.each(Object.entries(refusedCases))('%s', async (_name, contractCase) => {
    const both = await callBoth(contractCase);
    expect(both.theirs.result.isError).toBe(true);
    expect(both.ours.result.isError).toBe(true);
    expect(both.ours.files).toEqual(both.theirs.files);
    expect(both.ours.result.structuredContent).toBeUndefined();
  });
});

describe('another answer, on purpose', () => {
  test.each(Object.entries(differences))('%s', async (_name, difference) => {
    const both = await callBoth(difference);
    expect(answerOf(both.theirs)).toEqual(difference.theirs);
    expect(answerOf(both.ours)).toEqual(difference.ours);
  });
});

/** In short: of a call that changes a file, the file. */
function answerOf({ result, files }: Outcome): Answer {
  if (result.isError === true) return { refused: true };
  return { text: files[0] ?? result.content[0]?.text ?? '' };
}

describe('the list of tools', () => {
  test('has every tool of the reference, in its order', async () => {
    const expected = (await theirs.client.listTools()).tools.map(({ name }) => name);
    const offered = (await ours.client.listTools()).tools.map(({ name }) => name);
    expect(offered.slice(0, expected.length)).toEqual(expected);
  });

  test('takes the same arguments, and says the same about effects', async () => {
    const own = (await ours.client.listTools()).tools;
    const expected = (await theirs.client.listTools()).tools;
    expect(own.slice(0, expected.length).map(factsOf)).toMatchObject(expected.map(factsOf));
  });

  test('facts about a file have the same fields', async () => {
    const info = async (served: ServedTree): Promise<string> => {
      const result = (await served.call('get_file_info', { path: '$TREE/app/a.txt' })) as Result;
      return (result.content[0]?.text ?? '').replaceAll(/: \w{3} \w{3} \d.*/g, ': TIME');
    };
    expect(await info(ours)).toBe(await info(theirs));
    expect(await info(ours)).toContain('modified: TIME\naccessed: TIME\nisDirectory: false');
  });
});

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** What a program goes by. */
function factsOf({ name, annotations, inputSchema }: ListedTool): object {
  const { required = [], properties } = inputSchema;
  return { name, annotations, required, properties: withoutWords(properties) };
}

/** What a schema says to a program. */
function withoutWords(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema ?? {}, (key, value: unknown) => (key === 'description' ? undefined : value)),
  ) as unknown;
}
