import type { JSX } from 'preact';
import type { ConnectionView } from '../../wire/wire.ts';
import { counted } from '../parts/format.tsx';
import { Text } from '../parts/text.tsx';

/** Compares the declared capabilities of a client with its actual behaviour. */
export function Behaviour({ connection }: { readonly connection: ConnectionView }): JSX.Element {
  const { declared, answered, changes } = connection;
  const did = deedOf(connection);
  return (
    <dl class="behaviour">
      <div>
        <dt>Declares</dt>
        <dd>{wordsFor(declared)}</dd>
      </div>
      <div>
        <dt>Does</dt>
        <dd class={did.bad ? 'bad' : undefined}>
          {did.text}
          {answered?.reason === undefined ? null : (
            <>
              : <Text of={answered.reason} />
            </>
          )}
          {changes === 0 ? '' : `; announced ${counted(changes, 'change')}`}
        </dd>
      </div>
    </dl>
  );
}

function wordsFor({ roots, listChanged, elicitation }: ConnectionView['declared']): string {
  const words = [
    ...(roots ? [listChanged ? 'roots, and their changes' : 'roots'] : []),
    ...(elicitation ? ['questions to you'] : []),
  ];
  return words.length === 0 ? 'no support for roots' : words.join('; ');
}

function deedOf({ declared, answered }: ConnectionView): { readonly text: string; readonly bad: boolean } {
  if (answered === undefined) {
    return {
      text: declared.roots ? 'was not asked for its roots yet' : 'is not asked for roots',
      bad: false,
    };
  }
  switch (answered.state) {
    case 'listed':
      return { text: `listed ${counted(answered.roots, 'root')}`, bad: answered.roots === 0 };
    case 'empty':
      return { text: 'answered that it has no roots', bad: declared.roots };
    case 'failed':
      return { text: 'did not answer correctly', bad: true };
    case 'unasked':
    case 'unsupported':
      return { text: 'cannot be asked', bad: declared.roots };
  }
}
