import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageModel } from './model.ts';

export const ModelContext: Context<PageModel | undefined> = createContext<PageModel | undefined>(undefined);

export function useModel(): PageModel {
  const model = useContext(ModelContext);
  if (model === undefined) throw new Error('This component is not inside a ModelContext');
  return model;
}
