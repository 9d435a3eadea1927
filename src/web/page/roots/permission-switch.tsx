import type { JSX } from 'preact';
import type { Operation } from '../../../boundary/step/operation.ts';
import type { RootPermissions } from '../../../policy/rules/root-permissions.ts';
import { useModel } from '../live/use-model.ts';
import { displayedText } from '../parts/text.tsx';

export const operationNames = {
  read: 'Read',
  list: 'List',
  write: 'Write',
  remove: 'Remove',
  execute: 'Run',
} as const satisfies { readonly [Name in Operation]: string };

export const operationList = Object.keys(operationNames) as readonly Operation[];

export interface PermissionsProps {
  readonly root: { readonly name: string; readonly path: string };
  readonly permissions: RootPermissions;
  readonly server?: string;
}

/** One on/off switch for each operation. Turning off "ask" can be undone; the details have all three choices. */
export function PermissionSwitches({ root, permissions }: PermissionsProps): JSX.Element {
  return (
    <div class="switches" role="group" aria-label={`Permissions of ${displayedText(root.name)}`}>
      {operationList.map((operation) => (
        <PermissionSwitch
          key={operation}
          {...{ root, operation }}
          now={permissionOf(permissions, operation)}
        />
      ))}
    </div>
  );
}

interface SwitchProps {
  readonly root: PermissionsProps['root'];
  readonly operation: Operation;
  readonly now: PermissionVerdict;
}

const titles: { readonly [One in PermissionVerdict]: string } = {
  allow: 'allowed',
  ask: 'asks first; change this in the details',
  deny: 'not allowed',
};

function PermissionSwitch({ root, operation, now }: SwitchProps): JSX.Element {
  const { frozen } = useModel();
  const permit = usePermit(root);
  const name = operationNames[operation];
  return (
    <button
      type="button"
      class={now === 'ask' ? 'switch asks' : 'switch'}
      role="switch"
      aria-checked={now === 'allow'}
      aria-label={now === 'ask' ? `${name}, asks first` : name}
      title={`${name}: ${titles[now]}`}
      disabled={frozen.value}
      onClick={() => void permit({ operation, from: now, to: now === 'allow' ? 'deny' : 'allow' })}
    >
      <span class="track" aria-hidden="true" />
      <span class="switch-name" aria-hidden="true">
        {now === 'ask' ? 'asks' : name}
      </span>
    </button>
  );
}

export type PermissionVerdict = 'allow' | 'ask' | 'deny';

export function permissionOf({ allow, ask }: RootPermissions, operation: Operation): PermissionVerdict {
  if (ask.includes(operation)) return 'ask';
  return allow.includes(operation) ? 'allow' : 'deny';
}

export interface SwitchedPermission {
  readonly operation: Operation;
  readonly from: PermissionVerdict;
  readonly to: PermissionVerdict;
}

/** Changes a permission. If that turns off a question, the message offers to undo it. */
export function usePermit(
  root: { readonly name: string; readonly path: string },
  server?: string,
): (change: SwitchedPermission) => Promise<boolean> {
  const { api, attempt, showToast } = useModel();
  const send = (operation: Operation, state: PermissionVerdict): Promise<boolean> => {
    const body = { root: root.path, operation, state, ...(server === undefined ? {} : { server }) };
    return attempt(() => api.post('/api/roots/permit', body));
  };
  return async ({ operation, from, to }) => {
    const isDone = await send(operation, to);
    if (isDone && from === 'ask' && to !== 'ask') {
      const text = `You will no longer be asked before ${displayedText(root.name)} ${words[operation]}`;
      showToast({ text, action: { label: 'Undo', run: () => void send(operation, from) } });
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
