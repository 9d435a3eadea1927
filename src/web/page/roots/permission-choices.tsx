import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Operation } from '../../../boundary/step/operation.ts';
import { useModel } from '../live/use-model.ts';
import { displayedText } from '../parts/text.tsx';
import {
  operationList,
  operationNames,
  type PermissionVerdict,
  permissionOf,
  type PermissionsProps,
  usePermit,
} from './permission-switch.tsx';

const options = [
  ['deny', 'Off'],
  ['ask', 'Asks'],
  ['allow', 'On'],
] as const satisfies readonly (readonly [PermissionVerdict, string])[];

/** All three choices for each operation: off, ask, on. */
export function PermissionChoices({ root, permissions, server }: PermissionsProps): JSX.Element {
  const whom = server === undefined ? '' : ` for ${displayedText(server)}`;
  const permit = usePermit(root, server);
  return (
    <div class="permissions" role="group" aria-label={`Permissions of ${displayedText(root.name)}${whom}`}>
      {operationList.map((operation) => {
        const from = permissionOf(permissions, operation);
        return (
          <Choice
            key={operation}
            operation={operation}
            now={from}
            onChoose={(to) => void permit({ operation, from, to })}
          />
        );
      })}
    </div>
  );
}

interface ChoiceProps {
  readonly operation: Operation;
  readonly now: PermissionVerdict;
  readonly onChoose: (to: PermissionVerdict) => void;
}

function Choice({ operation, now, onChoose }: ChoiceProps): JSX.Element {
  const { frozen } = useModel();
  const name = useId();
  return (
    <fieldset class="permission" disabled={frozen.value}>
      <legend>{operationNames[operation]}</legend>
      {options.map(([value, label]) => (
        <label key={value} class={value}>
          <input
            type="radio"
            name={name}
            checked={value === now}
            aria-label={`${operationNames[operation]}: ${label}`}
            onChange={() => onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
