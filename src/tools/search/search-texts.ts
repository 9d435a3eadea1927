import type { FileText } from '../../boundary/read/read-texts.ts';
import type { PatternMatcher, StartMatcher } from './matcher.ts';
import { TextGroup } from './text-group.ts';
import type { FileHits, HitStream, SearchEnd, TextQuery } from './text-query.ts';

export interface SearchTextsOptions {
  readonly start: StartMatcher;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Bytes searched together: few at first, because that is often enough. */
const sizes = { first: 256 * 1024, growth: 4, most: 8 * 1024 * 1024 } as const;

/** Searches texts as they arrive. The generator of texts returns whether they were all. */
export async function* searchTexts(
  texts: AsyncGenerator<readonly FileText[], boolean>,
  query: TextQuery,
  options: SearchTextsOptions,
): HitStream {
  const deadline = performance.now() + options.milliseconds;
  let size: number = sizes.first;
  try {
    for (;;) {
      const group = new TextGroup(query);
      const end = yield* searchGroup(texts, { group, size, deadline }, options);
      if (end !== undefined) return end;
      size = Math.min(size * sizes.growth, sizes.most);
    }
  } finally {
    await texts.return(false);
  }
}

interface SearchRound {
  readonly group: TextGroup;
  readonly size: number;
  readonly deadline: number;
}

/** Runs the matcher once. Returns `undefined` if there may be more to search. */
async function* searchGroup(
  texts: AsyncGenerator<readonly FileText[], boolean>,
  { group, size, deadline }: SearchRound,
  { start, signal }: SearchTextsOptions,
): AsyncGenerator<FileHits, SearchEnd | undefined> {
  const milliseconds = Math.max(1, deadline - performance.now());
  await using matcher = start({ onMatch: (place) => group.match(place), milliseconds, signal });
  const rest = await feed(texts, matcher, { group, size, deadline });
  signal.throwIfAborted();
  const isDone = await matcher.end();
  yield* group.hits();
  if (!isDone || rest === 'late') return { complete: false };
  return typeof rest === 'boolean' ? { complete: rest } : undefined;
}

/** Returns `more` if the group is full or enough was found, `late` at the deadline, or whether these were all texts. */
async function feed(
  texts: AsyncGenerator<readonly FileText[], boolean>,
  matcher: PatternMatcher,
  { group, size, deadline }: SearchRound,
): Promise<boolean | 'more' | 'late'> {
  while (group.size < size && !group.isEnough) {
    const next = await texts.next();
    if (next.done === true) return next.value;
    await matcher.write(group.add(next.value));
    if (performance.now() > deadline) return 'late';
  }
  return 'more';
}
