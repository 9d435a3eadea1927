import type { Signals } from '../../workspace/sources/signals.ts';
import type { BoundSwitch } from './bind-switch.ts';
import type { Moment } from './composition.ts';
import type { Settings } from '../settings/settings.ts';

/** Whose word is listened to. */
export interface Hearing {
  readonly bound: BoundSwitch;
  /** The project that is found counts, because nobody named what may be reached. */
  readonly detected: boolean;
  /** Only the operator has a say. */
  readonly operatorOnly: boolean;
}

/** Puts together what may tell the project: what the client said, and what the process knows. */
export function gatherSignals(moment: Moment, settings: Settings, hearing: Hearing): Signals {
  const { argument } = moment;
  const { ceiling, pinned } = settings;
  const { bound } = hearing;
  return {
    ...wordsOfClient(moment, hearing),
    ...factsOfProcess(moment, settings, hearing),
    ...(ceiling && { ceiling }),
    ...(pinned !== undefined && { pinned }),
    ...(argument !== undefined && { argument }),
    ...(bound.kind === 'place' && { switched: bound.path }),
  };
}

/** Within what the operator named a client may choose; where only the operator has a say, it cannot name more. */
function wordsOfClient({ answer, remembered, client, meta }: Moment, hearing: Hearing): Signals {
  if (hearing.operatorOnly && hearing.detected)
    return { roots: { state: 'unsupported' }, ...(client && { client }) };
  return {
    roots: answer,
    meta,
    ...(remembered.listed && { remembered: remembered.listed }),
    ...(remembered.initialize !== undefined && { initialize: remembered.initialize }),
    ...(client && { client }),
  };
}

/** Where the process of a remote server was started is nobody's business there, unless that is what counts. */
function factsOfProcess(
  { overHttp }: Moment,
  { environment, cwd }: Settings,
  { detected }: Hearing,
): Signals {
  if (overHttp && !detected) return {};
  return { environment, ...(cwd !== undefined && { cwd }) };
}
