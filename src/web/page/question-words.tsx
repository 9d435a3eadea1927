import type { JSX } from 'preact';
import type { ProcessView, QuestionView } from '../wire/wire.ts';
import { Text } from './parts/text.tsx';

const verbs = {
  read: 'read',
  list: 'list',
  write: 'write',
  remove: 'remove',
  execute: 'run a program in',
} as const;

const wishes = { exposure: 'see', switch: 'work in' } as const;

const reaches = { access: 'Root', exposure: 'It would see', switch: 'It would reach' } as const;

export interface QuestionWordsProps {
  readonly question: QuestionView;
  readonly process: ProcessView;
}

/** Shows the client, the operation, the place, and the process of a question. */
export function QuestionWords({ question, process }: QuestionWordsProps): JSX.Element {
  const { who, kind, operation, path, real, whole, tool, detail, reason } = question;
  return (
    <>
      <p class="question">
        <Text of={who} class="strong" most={80} /> wants to{' '}
        {kind === 'access' ? verbs[operation ?? 'read'] : wishes[kind]}
        {path === undefined ? null : <Text of={path} class="path big" most={400} />}
        {real === undefined ? null : (
          <>
            , which is <Text of={real} class="path big" most={400} />
          </>
        )}
        {whole === true ? ', and everything in it' : null}
        {operation === 'execute' ? ', from where it can reach the whole root' : null}
      </p>
      {detail === undefined ? null : (
        <p class="question">
          <Text of={detail} class="path" most={4_000} />
        </p>
      )}
      <dl class="facts tight">
        <div>
          <dt>{reaches[kind]}</dt>
          <dd>
            <Places question={question} />
          </dd>
        </div>
        {tool === undefined ? null : (
          <div>
            <dt>Tool</dt>
            <dd>
              <Text of={tool} most={80} />
            </dd>
          </div>
        )}
        <div>
          <dt>Through</dt>
          <dd>{through(question, process)}</dd>
        </div>
        <div>
          <dt>Why you are asked</dt>
          <dd>
            <Text of={reason} />
          </dd>
        </div>
      </dl>
    </>
  );
}

/** Two roots may have the same name; their paths tell them apart. */
function Places({ question: { roots, places } }: { readonly question: QuestionView }): JSX.Element {
  return (
    <ul class="places">
      {roots.map((root, at) => (
        <li key={places[at] ?? root}>
          <Text of={root} class="strong" most={80} />{' '}
          {places[at] === undefined ? null : <Text of={places[at]} class="path" most={200} />}
        </li>
      ))}
    </ul>
  );
}

function through({ connection }: QuestionView, { command, pid, connections }: ProcessView): string {
  const carried = connections.find(({ id }) => id === connection)?.transport;
  const transport = carried === undefined ? '' : `, over ${carried === 'http' ? 'HTTP' : 'stdio'}`;
  return `rootward ${command}, process ${pid}${transport}`;
}
