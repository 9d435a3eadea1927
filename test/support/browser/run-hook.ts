import { type ComponentChildren, h, render } from 'preact';
import { act } from 'preact/test-utils';
import type { PageModel } from '../../../src/web/page/live/model.ts';
import { ModelContext } from '../../../src/web/page/live/use-model.ts';

/** A hook that runs in a component, without a browser: the component draws nothing. */
export interface RunningHook<Result> {
  /** What it returned last. */
  readonly result: () => Result;
  /** Does something, and lets everything run that follows from it. */
  act(run: () => void | Promise<void>): Promise<void>;
  /** Takes the component away. */
  end(): Promise<void>;
}

/** Runs a hook for a test, in the page of a model if there is one. */
export async function runHook<Result>(hook: () => Result, model?: PageModel): Promise<RunningHook<Result>> {
  const results: Result[] = [];
  const Probe = (): ComponentChildren => {
    results.push(hook());
    return null;
  };
  const place = createPlace();
  const draw = (shown: boolean): void =>
    render(h(ModelContext.Provider, { value: model }, shown ? h(Probe, {}) : null), place);
  await act(() => draw(true));
  return {
    result() {
      const last = results.at(-1);
      if (last === undefined && results.length === 0) throw new Error('The hook did not run');
      return last as Result;
    },
    act: (run) => act(run),
    end: () => act(() => draw(false)),
  };
}

/** As much of an element as is needed to draw nothing in it. */
function createPlace(): Element {
  return {
    nodeType: 1,
    childNodes: [],
    firstChild: null,
    namespaceURI: 'http://www.w3.org/1999/xhtml',
  } as never;
}
