import type { JSX } from 'preact';
import type { Operation } from '../../boundary/operation.ts';
import type { RootPermissions } from '../../policy/root-permissions.ts';
import { plainText } from './split-text.ts';
import { useModel } from './use-model.ts';

export const operationNames = {
  read: 'Read',
  list: 'List',
  write: 'Write',
  remove: 'Remove',
  execute: 'Run',
} as const satisfies { readonly [Name in Operation]: string };

export const operationList = Object.keys(operationNames) as readonly Operation[];

export interface PermissionSwitchesProps {
  readonly root: string;
  readonly permissions: RootPermissions;
  readonly server?: string;
}

/** One switch for each operation. */
export function PermissionSwitches({ root, permissions, server }: PermissionSwitchesProps): JSX.Element {
  const where = server === undefined ? plainText(root) : `${plainText(root)} for ${plainText(server)}`;
  return (
    <div class="switches" role="group" aria-label={`Permissions of ${where}`}>
      {operationList.map((operation) => (
        <PermissionSwitch key={operation} {...{ root, permissions, operation, server }} />
      ))}
    </div>
  );
}

interface SwitchProps extends Omit<PermissionSwitchesProps, 'server'> {
  readonly operation: Operation;
  readonly server: string | undefined;
}

function PermissionSwitch({ root, permissions, operation, server }: SwitchProps): JSX.Element {
  const { api, attempt } = useModel();
  const allowed = permissions.allow.includes(operation);
  const asks = permissions.ask.includes(operation);
  const name = operationNames[operation];
  const change = (): void => {
    const body = { root, operation, allowed: !allowed, ...(server === undefined ? {} : { server }) };
    void attempt(() => api.post('/api/roots/permit', body));
  };
  return (
    <button
      type="button"
      class={asks ? 'switch asks' : 'switch'}
      role="switch"
      aria-checked={allowed}
      aria-label={asks ? `${name}, asks first` : name}
      title={asks ? 'A person is asked first' : `${name}: ${allowed ? 'allowed' : 'not allowed'}`}
      onClick={change}
    >
      <span class="track" aria-hidden="true" />
      <span class="switch-name" aria-hidden="true">
        {asks ? 'asks' : name}
      </span>
    </button>
  );
}
