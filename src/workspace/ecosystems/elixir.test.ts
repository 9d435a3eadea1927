import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { elixir } from './elixir.ts';

test('the tasks of Mix, and those of dependencies', async () => {
  const plain = ['install: mix deps.get', 'build: mix compile', 'test: mix test', 'format: mix format'];
  expect(await findCommands(elixir, { 'mix.exs': '' })).toEqual(plain);
  expect(
    await findCommands(elixir, { 'mix.exs': 'defp deps, do: [{:phoenix, "~> 1.7"}, {:credo, "~> 1"}]' }),
  ).toEqual([...plain, 'run: mix phx.server', 'lint: mix credo']);
});
