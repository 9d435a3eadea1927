import { expect, test } from 'vitest';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import type { PageApi } from './api.ts';
import { createModel } from './model.ts';
import { useModel } from './use-model.ts';

test('a component finds the model around it', async () => {
  const model = createModel({} as PageApi);
  const running = await runHook(useModel, model);
  expect(running.result()).toBe(model);
});

test('fails with a clear message without one', async () => {
  await expect(runHook(useModel)).rejects.toThrow('This component is not inside a ModelContext');
});
