import { useEffect, useState } from 'preact/hooks';
import { expect, test } from 'vitest';
import { runHook } from './run-hook.ts';

test('runs state and effects, and takes them away', async () => {
  const seen: string[] = [];
  let grow: () => void = () => {};
  const running = await runHook(() => {
    const [count, setCount] = useState(1);
    grow = () => setCount(count + 1);
    useEffect(() => {
      seen.push(`begin ${count}`);
      return () => void seen.push(`end ${count}`);
    }, [count]);
    return count;
  });
  await running.act(() => grow());
  expect(running.result()).toBe(2);
  await running.end();
  expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});
