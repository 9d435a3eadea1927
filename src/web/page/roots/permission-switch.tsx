import type { JSX } from 'preact';
import type { Operation } from '../../../boundary/step/operation.ts';
import type { RootPermissions } from '../../../policy/rules/root-permissions.ts';
import { plainText } from '../parts/split-text.ts';
import { type Permission, permissionOf, usePermit } from './use-permit.ts';
import { useModel } from '../live/use-model.ts';

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

/** One switch for each operation: off and on. What asks can be taken back, and chosen among the details. */
export function PermissionSwitches({ root, permissions }: PermissionsProps): JSX.Element {
  return (
    <div class="switches" role="group" aria-label={`Permissions of ${plainText(root.name)}`}>
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
  readonly now: Permission;
}

const titles: { readonly [One in Permission]: string } = {
  allow: 'allowed',
  ask: 'you are asked first; the details have all three choices',
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
