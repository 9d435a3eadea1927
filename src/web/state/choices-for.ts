import type { RootStore } from '../../client/store/root-store.ts';
import { quote } from '../../base/quote.ts';
import type { AskedQuestion, ChoiceView } from '../wire/wire.ts';

/**
 * Returns the possible answers to a question, and the scope of each. An answer that cannot be stored is not offered
 * as a lasting one, and an answer for the session only if there is one.
 */
export function choicesFor(asked: AskedQuestion, store: Pick<RootStore, 'get'>): readonly ChoiceView[] {
  switch (asked.kind) {
    case 'exposure':
      return choicesToSee(asked);
    case 'switch':
      return choicesToSwitch(asked);
    case 'access':
      return choicesToAct(asked, store);
  }
}

/**
 * Whether `always` and `never` would take effect if saved: the root is stored, and the asking server follows the
 * store.
 */
export function isKeepable(
  { kind, follows, places, operation }: AskedQuestion,
  store: Pick<RootStore, 'get'>,
): boolean {
  const isKept = places.length > 0 && places.every((place) => store.get(place)?.path === place);
  return kind === 'access' && operation !== undefined && follows && isKept;
}

/** A host saves its answers itself. */
function choicesToSee({ who, roots }: AskedQuestion): readonly ChoiceView[] {
  const them = roots.length === 1 ? quote(roots[0] ?? '') : `these ${roots.length} roots`;
  return [
    { answer: 'once', covers: `${quote(who)} sees ${them} this time only`, kept: false },
    { answer: 'session', covers: `${quote(who)} sees ${them} until it disconnects`, kept: false },
    { answer: 'always', covers: `${quote(who)} sees ${them} until you revoke it`, kept: true },
    { answer: 'never', covers: `${quote(who)} does not see ${them} until you revoke it`, kept: true },
  ];
}

/** The server remembers the directory itself, for as long as the connection lasts. */
function choicesToSwitch({ who, places }: AskedQuestion): readonly ChoiceView[] {
  const there = places.map(quote).join(', ');
  const until = 'until it switches again or disconnects';
  return [
    { answer: 'session', covers: `${quote(who)} works in ${there}, ${until}`, kept: false },
    { answer: 'never', covers: `${quote(who)} does not work in ${there}, unless it asks again`, kept: false },
  ];
}

function choicesToAct(asked: AskedQuestion, store: Pick<RootStore, 'get'>): readonly ChoiceView[] {
  const { operation = 'read', roots, who, server, session } = asked;
  const there = `${operation} in ${roots.map(quote).join(', ')}`;
  const meanwhile = `until ${quote(who)} disconnects`;
  const forWhom =
    server === undefined ? 'for every server' : `for every client of the server ${quote(server)}`;
  const forGood = `${forWhom}, until you change it`;
  const kept = isKeepable(asked, store);
  const never = kept
    ? `no ${there}, ${forGood}`
    : session
      ? `no ${there}, ${meanwhile}`
      : `not this ${operation}`;
  const choices: readonly (ChoiceView & { readonly offered: boolean })[] = [
    { answer: 'once', covers: `this ${operation} only`, kept: false, offered: true },
    { answer: 'session', covers: `every ${there}, ${meanwhile}`, kept: false, offered: session },
    { answer: 'always', covers: `every ${there}, ${forGood}`, kept: true, offered: kept },
    { answer: 'never', covers: never, kept, offered: true },
  ];
  return choices.filter(({ offered }) => offered).map(({ offered: _offered, ...choice }) => choice);
}
