import type { JSX } from 'preact';
import type { PathTrial } from '../live/model.ts';
import { useModel } from '../live/use-model.ts';
import { displayedText } from '../parts/text.tsx';
import { operationList, operationNames } from '../roots/permission-switch.tsx';
import { asWhom, tryAsOptions } from './try-as.ts';

export interface TryFormProps {
  readonly as: string;
  readonly onAs: (value: string) => void;
  readonly server: string;
  readonly onServer: (name: string) => void;
}

/** The path and operation to try, and the client to try as. */
export function TryForm({ as, onAs, server, onServer }: TryFormProps): JSX.Element {
  const { wish, running } = useModel();
  const { path, operation, root } = wish.value;
  const change = (part: Partial<PathTrial>): void => void (wish.value = { ...wish.peek(), ...part });
  const options = tryAsOptions(running.value ?? []);
  const isAnyServer = asWhom(as, running.value ?? []) === undefined;
  return (
    <form class="try-form" onSubmit={(event) => event.preventDefault()}>
      <label class="grow">
        Path or file URI
        <input
          value={path}
          placeholder="~/code/app/.env"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => change({ path: currentTarget.value })}
        />
      </label>
      <label>
        Operation
        <select
          value={operation}
          onChange={({ currentTarget }) => change({ operation: currentTarget.value })}
        >
          {operationList.map((name) => (
            <option key={name} value={name}>
              {operationNames[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        In place of
        <select value={isAnyServer ? '' : as} onChange={({ currentTarget }) => onAs(currentTarget.value)}>
          <option value="">any server with your roots</option>
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isAnyServer ? <ServerName server={server} onServer={onServer} /> : null}
      {root === undefined ? null : (
        <p class="from">
          <span class="chip">
            Relative paths begin in {displayedText(root)}
            <button
              type="button"
              class="chip-cross"
              aria-label={`Do not begin relative paths in ${displayedText(root)}`}
              onClick={() => (wish.value = { path, operation })}
            >
              ×
            </button>
          </span>
        </p>
      )}
    </form>
  );
}

function ServerName({ server, onServer }: Pick<TryFormProps, 'server' | 'onServer'>): JSX.Element {
  const { roots } = useModel();
  const known = new Set([
    ...Object.keys(roots.value?.subsets ?? {}),
    ...(roots.value?.roots ?? []).flatMap((root) => Object.keys(root.servers)),
  ]);
  return (
    <label>
      Named
      <input
        value={server}
        list="servers"
        placeholder="any name"
        onInput={({ currentTarget }) => onServer(currentTarget.value)}
      />
      <datalist id="servers">
        {[...known].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
