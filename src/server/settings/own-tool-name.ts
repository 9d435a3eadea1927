/** The tools that `attach` offers on request. */
export type OwnToolName = 'list_roots' | 'switch_project' | 'why';

export const ownToolNames: readonly OwnToolName[] = ['list_roots', 'switch_project', 'why'];

export function isOwnToolName(name: unknown): name is OwnToolName {
  return ownToolNames.some((own) => own === name);
}
