import { z } from 'zod';
import { operations } from '../../boundary/step/operation.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';

/**
 * What a process says about itself, once it has the shape that a page can show; `undefined` otherwise. Another
 * version may say more than is known here, and nothing else.
 */
export function parseProcess(value: unknown): AnnouncedProcess | undefined {
  const { success, data } = announced.safeParse(value);
  // The compiler cannot see that a schema leaves out what is `undefined`.
  return success ? (data as AnnouncedProcess) : undefined;
}

const texts = z.array(z.string());
const count = z.number().int().nonnegative();

const trailStep = z.looseObject({
  source: z.string(),
  outcome: z.enum(['chosen', 'refused', 'absent', 'passed']),
  offered: texts,
  reason: z.string(),
});

const connection = z.looseObject({
  id: z.string(),
  client: z.string().optional(),
  version: z.string().optional(),
  revision: z.string().optional(),
  transport: z.enum(['stdio', 'http']),
  declared: z.object({ roots: z.boolean(), listChanged: z.boolean(), elicitation: z.boolean() }),
  answered: z
    .looseObject({
      state: z.enum(['unasked', 'unsupported', 'empty', 'listed', 'failed']),
      roots: count,
      reason: z.string().optional(),
    })
    .optional(),
  changes: count,
  since: z.iso.datetime(),
  seen: z.iso.datetime(),
  project: z.looseObject({ name: z.string(), location: z.string().optional() }).optional(),
  source: z.string().optional(),
  why: z.string().optional(),
  roots: texts,
  places: texts.default([]),
  trail: z.array(trailStep),
  refusal: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
});

const question = z.looseObject({
  id: z.string(),
  kind: z.enum(['access', 'exposure']),
  who: z.string(),
  operation: z.enum(operations).optional(),
  path: z.string().optional(),
  tool: z.string().optional(),
  real: z.string().optional(),
  whole: z.boolean().optional(),
  detail: z.string().optional(),
  roots: texts,
  places: texts.default([]),
  server: z.string().optional(),
  connection: z.string().optional(),
  session: z.boolean().default(false),
  follows: z.boolean().default(false),
  reason: z.string(),
  asked: z.iso.datetime(),
  until: z.iso.datetime(),
});

const rules = z.looseObject({
  policy: z.looseObject({}),
  limited: z.boolean(),
  follows: z.boolean(),
  directories: texts.optional(),
});

const announced = z.looseObject({
  id: z.string(),
  pid: count,
  command: z.enum(['serve', 'web', 'watch', 'host']),
  version: z.string(),
  started: z.iso.datetime(),
  directory: z.string(),
  url: z.string().optional(),
  server: z.string().optional(),
  rules: rules.optional(),
  pages: count.optional(),
  hidden: count.optional(),
  connections: z.array(connection),
  questions: z.array(question),
});
