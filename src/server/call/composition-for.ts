import { join } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { isRelative } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { OpenRoot } from '../../workspace/workspace.ts';
import { compose, modeOf } from '../compose/compose.ts';
import type { Composition, CompositionInput } from '../compose/composition.ts';
import { factsOf, type HeldComposition } from '../compose/composition-cache.ts';
import { usableAnswer, warnOfDropped } from '../compose/usable-answer.ts';
import type { Switched } from '../connection/connection-memory.ts';
import { failedInside, settingsKnown, settingsNow } from '../settings/operator.ts';
import type { ViewOptions } from '../settings/rootward.ts';
import type { Settings } from '../settings/settings.ts';
import type { Attachment, OpenAttachments } from './attachments.ts';
import type { Call } from './call.ts';
import { canElicit } from './elicit.ts';
import { findNamedPlace } from './find-named-place.ts';
import { answerInRounds, knownInRounds } from './rounds.ts';
import { recordGrantEnd } from './switch-records.ts';

/** Runs `use` with the composition of a call, and records a refusal so that the result can explain it. */
export async function withComposition<Value>(
  core: ScopeParts,
  { call, options: { cwd } = {} }: CallView,
  use: (composition: Composition) => Value | Promise<Value>,
): Promise<Value> {
  const scope = callScope(core, call);
  if (call === undefined) {
    const held = await compositionOutsideCalls(scope, cwd);
    try {
      return await use(held.composition);
    } finally {
      held.release();
    }
  }
  try {
    const known = cwd === undefined ? compositionAtHand(scope, call) : undefined;
    return await use(known ?? (await compositionFor(scope, call, cwd ?? call.argument)).composition);
  } catch (error) {
    if (RootwardError.is(error)) {
      call.refusals.push(error);
      core.settings.trace({ kind: 'refused', code: error.code, message: error.message });
    }
    throw error;
  }
}

/**
 * Returns the composition in which a call uses a path, made anew if the root of that path was moved or removed since
 * it was opened. A call looks once, at its first path, and keeps one snapshot from then on.
 */
export function compositionAt(
  core: ScopeParts,
  call: Call | undefined,
  { found, locate }: FoundComposition,
): Composition | Promise<Composition> {
  if (call === undefined) return found;
  if (!call.hasLookedAtRoot) {
    call.hasLookedAtRoot = true;
    if (locate()?.boundary.hasMoved === true) giveUp(call, found);
  }
  if (call.outdated !== found) return found;
  return compositionFor(callScope(core, call), call).then(({ composition }) => composition);
}

interface FoundComposition {
  readonly found: Composition;
  readonly locate: () => OpenRoot | undefined;
}

/** Other calls that run with the composition keep it until they end. */
function giveUp(call: Call, outdated: Composition): void {
  call.outdated = outdated;
  call.seen?.expire();
  call.lookAgain();
}

interface CallView {
  readonly call: Call | undefined;
  readonly options?: ViewOptions;
}

/** The scope of a call, or of the program itself outside calls. */
export function callScope({ attachments, settings }: ScopeParts, call: Call | undefined): CallScope {
  return { attachment: call?.attachment ?? attachments.find(undefined), settings };
}

/** The parts that determine the scope of a call. */
export interface ScopeParts {
  readonly settings: Settings;
  readonly attachments: Pick<OpenAttachments, 'find'>;
}

/** Finds the composition of a call. It is found once and stays the same until the call ends. */
export async function compositionFor(
  { attachment, settings }: CallScope,
  call: Call,
  argument: string | undefined = call.argument,
): Promise<HeldComposition> {
  if (call.seen !== undefined && argument === call.argument) return call.seen;
  const key = argument ?? '';
  const existing = call.compositions.get(key);
  if (existing !== undefined) return existing;
  const view = answerFor({ attachment, settings }, call).then(async (answer) => {
    const scope = { attachment, settings: await settingsNow(settings) };
    return hold(scope, {
      answer,
      call,
      argument: await absoluteArgument(scope, { answer, call, argument }),
    });
  });
  call.compositions.set(key, view);
  view.then(
    (held) => call.see(held, argument === call.argument),
    // An open question leaves nothing to cache.
    () => call.compositions.delete(key),
  );
  return view;
}

/** The directory that the caller names by a name, or by a path that starts at the project of the connection. */
async function absoluteArgument(
  scope: CallScope,
  { argument, ...subject }: CompositionSubject,
): Promise<string | undefined> {
  if (argument === undefined) return undefined;
  const path = expandHome(argument);
  if (!isRelative(path)) return path;
  const held = await hold(scope, { ...subject, argument: undefined });
  try {
    const { composition } = held;
    const { settings } = scope;
    const found = await findNamedPlace(path, {
      composition,
      settings,
      signal: subject.call?.incoming.signal,
    });
    if (found !== undefined && 'path' in found) return found.path;
    const { location } = composition.workspace?.project ?? {};
    return location === undefined ? path : join(location, path);
  } finally {
    held.release();
  }
}

/** The connection and settings that a call runs with. */
export interface CallScope {
  readonly attachment: Attachment;
  readonly settings: Settings;
}

async function answerFor({ attachment, settings }: CallScope, call: Call): Promise<RootsAnswer> {
  return attachment.connection.modern
    ? answerInRounds(attachment, call, settings)
    : attachment.roots.ask(call.incoming);
}

/** Returns the composition of a call if it is known without waiting, which is the fast path of most calls. */
export function compositionAtHand({ attachment, settings }: CallScope, call: Call): Composition | undefined {
  if (call.seen !== undefined) return call.seen.composition;
  // The operator's settings may have changed and must be asked for, which takes a moment.
  if (settings.operator !== undefined || attachment.connection.modern || call.looks) return undefined;
  const facts = attachment.factsAtHand();
  if (facts === undefined || keyOf(attachment, call, call.argument) !== '') return undefined;
  const held = attachment.compositions.grab('', facts);
  if (held === undefined) return undefined;
  call.see(held, true);
  return held.composition;
}

/** Finds the composition outside any call, from stored facts only, unless clients are asked eagerly. */
export async function compositionOutsideCalls(
  { attachment, settings }: CallScope,
  argument?: string,
): Promise<HeldComposition> {
  const place = { attachment, settings: await settingsNow(settings) };
  const { connection, roots } = attachment;
  const asks = settings.eager && !connection.overHttp && !connection.modern;
  const answer = asks ? await roots.ask() : knownAnswer(attachment);
  return hold(place, { answer, call: undefined, argument });
}

/** Returns the composition that is known without waiting or asking, inside or outside a call. */
export function compositionKnown(
  { attachment, settings }: CallScope,
  call: Call | undefined,
): Composition | undefined {
  if (call?.seen !== undefined) return call.seen.composition;
  const answer =
    call !== undefined && attachment.connection.modern
      ? knownInRounds(attachment, call, settings)
      : knownAnswer(attachment);
  if (answer === undefined || answer.state === 'unasked') return undefined;
  const known = settingsKnown(settings);
  return (
    known &&
    attachment.compositions.peek(
      factsOf(attachment.connection, {
        answer,
        operatorRevision: known.operatorRevision,
        incoming: call?.incoming,
      }),
    )
  );
}

function knownAnswer({ connection, roots }: Attachment): RootsAnswer {
  if (!connection.modern) return roots.known();
  return connection.memory.current().answer;
}

interface CompositionSubject {
  readonly answer: RootsAnswer;
  readonly call: Call | undefined;
  readonly argument: string | undefined;
}

async function hold(place: CallScope, given: CompositionSubject): Promise<HeldComposition> {
  const subject = { ...given, answer: await lookOnce(place, given) };
  const { attachment, settings } = place;
  const { answer, call } = subject;
  const { operatorRevision } = settings;
  const { memory } = attachment.connection;
  const { switched } = memory.current();
  const held = await attachment.compositions.hold(
    keyOf(attachment, call, subject.argument),
    factsOf(attachment.connection, { answer, operatorRevision, incoming: call?.incoming }),
    () => composeSafely(inputOf(attachment, subject), settings),
  );
  if (held.isNew) traceComposition(held.composition, place, call);
  if (held.composition.switchEnded && memory.current().switched === switched)
    await endSwitch(place, call, switched);
  return held;
}

/** Finds out whether a new list is usable, and remembers it. A list that is not is reported. */
async function lookOnce(
  { attachment: { connection }, settings }: CallScope,
  { answer, call }: CompositionSubject,
): Promise<RootsAnswer> {
  // Most calls end here: the list was looked at before, or there is none.
  if (answer.state === 'listed' ? answer.looked === true : answer.state !== 'empty') return answer;
  const { generation, answered } = connection.memory.current();
  const isCurrent = answered === generation && !connection.isOutdated;
  const overHttp = call?.overHttp ?? connection.overHttp;
  const scope = { mode: modeOf(settings, { overHttp }), ceiling: settings.ceiling };
  const looked = await usableAnswer(answer, scope);
  if (looked === answer) return answer;
  if (looked.state === 'empty') warnOfDropped(settings.trace, looked, connection);
  // If it cannot be stored, the next call looks again.
  if (isCurrent)
    await Promise.resolve(connection.memory.keepAnswer(generation, looked)).catch(() => undefined);
  return looked;
}

async function composeSafely(input: CompositionInput, settings: Settings): Promise<Composition> {
  try {
    return await compose(input, settings);
  } catch (error) {
    throw failedInside(error);
  }
}

/** Forgets a switch that has ended. If that fails, the next call does it. */
async function endSwitch(
  { attachment, settings }: CallScope,
  call: Call | undefined,
  switched: Switched | undefined,
): Promise<void> {
  const { connection } = attachment;
  const origin = { connection, ...(call && { incoming: call.incoming }), revision: attachment.revision() };
  try {
    await connection.memory.keepSwitched(undefined);
    await recordGrantEnd(settings.audit, origin, { switched, reason: 'its place is no longer allowed' });
  } catch {
    // No caller waits for it; the next call tries again.
  }
}

function inputOf(attachment: Attachment, { answer, call, argument }: CompositionSubject): CompositionInput {
  const { connection } = attachment;
  return {
    answer,
    remembered: connection.memory.current(),
    client: connection.client(call?.incoming),
    overHttp: call?.overHttp ?? connection.overHttp,
    meta: call?.incoming.meta ?? {},
    argument,
    canSwitch: call !== undefined && !(connection.modern && call.overHttp),
    canAsk: call !== undefined && canElicit(call),
    revision: attachment.nextRevision(),
  };
}

/** Calls that name no project share one composition under an empty key. */
function keyOf(attachment: Attachment, call: Call | undefined, argument: string | undefined): string {
  if (argument === undefined && call?.hasMeta !== true) return '';
  const meta = call === undefined ? [] : attachment.placesIn(call.incoming);
  return argument === undefined && meta.length === 0 ? '' : JSON.stringify([argument, meta]);
}

function traceComposition(
  composition: Composition,
  { attachment: { connection }, settings: { trace } }: CallScope,
  call: Call | undefined,
): void {
  const { workspace, open, why, resolution, error } = composition;
  const who = connection.client(call?.incoming);
  const { location } = workspace?.project ?? {};
  trace(
    {
      kind: 'composed',
      project: workspace?.project.name,
      source: workspace?.source,
      roots: open.roots.map(({ root }) => root.name),
      places: open.roots.map(({ root }) => root.path),
      why,
      trail: resolution.trail,
      ...(location !== undefined && { location }),
      ...(error && { refusal: { code: error.code, message: error.message, hint: error.hint } }),
      ...(who && { who }),
      ...(connection.modern && { capabilities: connection.capabilities(call?.incoming) }),
    },
    connection,
  );
}
