import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Model } from './model.ts';

export const ModelContext: Context<Model | undefined> = createContext<Model | undefined>(undefined);

export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === undefined) throw new Error('There is no model around this component');
  return model;
}
