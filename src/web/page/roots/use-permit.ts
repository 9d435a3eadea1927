import type { Operation } from '../../../boundary/step/operation.ts';
import type { RootPermissions } from '../../../policy/rules/root-permissions.ts';
import { plainText } from '../parts/split-text.ts';
import { useModel } from '../live/use-model.ts';

export type Permission = 'allow' | 'ask' | 'deny';

export function permissionOf({ allow, ask }: RootPermissions, operation: Operation): Permission {
  if (ask.includes(operation)) return 'ask';
  return allow.includes(operation) ? 'allow' : 'deny';
}

export interface PermissionChange {
  readonly operation: Operation;
  readonly from: Permission;
  readonly to: Permission;
}

/** Changes a permission. Where a question gets lost by that, the message that says so takes it back. */
export function usePermit(
  root: { readonly name: string; readonly path: string },
  server?: string,
): (change: PermissionChange) => Promise<boolean> {
  const { api, attempt, say } = useModel();
  const send = (operation: Operation, state: Permission): Promise<boolean> => {
    const body = { root: root.path, operation, state, ...(server === undefined ? {} : { server }) };
    return attempt(() => api.post('/api/roots/permit', body));
  };
  return async ({ operation, from, to }) => {
    const isDone = await send(operation, to);
    if (isDone && from === 'ask' && to !== 'ask') {
      const text = `You are asked no more before ${plainText(root.name)} ${words[operation]}`;
      say({ text, action: { label: 'Undo', run: () => void send(operation, from) } });
    }
    return isDone;
  };
}

const words: { readonly [Name in Operation]: string } = {
  read: 'is read',
  list: 'is listed',
  write: 'is written to',
  remove: 'loses files',
  execute: 'runs programs',
};
