import type { ConnectionMemory, Remembered } from '../../server/connection/connection-memory.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';

/**
 * What a session remembers, for a server that lives for one request. It begins with what was known when the
 * request came, and sees what this request itself has changed; another request may change more meanwhile,
 * which is what the generation is for.
 */
export function createSessionMemory(
  store: SessionStore,
  record: SessionRecord,
  { announced = false }: { readonly announced?: boolean } = {},
): ConnectionMemory {
  let now = rememberedOf(record);
  /** Another request was faster: whoever asks again has to ask about what is true by now. */
  const refresh = async (): Promise<void> => {
    const current = await store.touch(record.id);
    if (current !== undefined) now = rememberedOf(current);
  };
  return {
    current: () => now,
    async invalidate() {
      // The endpoint did it already when the announcement came in, before anybody was told.
      if (announced) return;
      const generation = await store.invalidate(record.id);
      if (generation !== undefined) now = { ...now, generation };
    },
    async keepAnswer(generation, answer) {
      const kept = await store.keepAnswer(record.id, generation, answer);
      const listed = answer.state === 'listed' ? { listed: answer.roots } : {};
      if (kept) now = { ...now, answer, answered: generation, ...listed };
      else await refresh();
      return kept;
    },
    async keepSwitched(switched) {
      await store.keepSwitched(record.id, switched);
      const { switched: _before, ...rest } = now;
      now = switched === undefined ? rest : { ...rest, switched };
    },
    /** It was kept when the session began. */
    keepInitialize() {},
  };
}

/** What concerns a server: not whose session it is. */
function rememberedOf(record: SessionRecord): Remembered {
  const { id: _id, principal: _principal, protocolVersion: _version, ...rest } = record;
  return rest;
}
