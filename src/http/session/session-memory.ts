import type { ConnectionMemory, Remembered } from '../../server/connection/connection-memory.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';

/**
 * The memory of a session, for a server that lives for one request. It starts with the record as loaded and sees the
 * changes of this request; concurrent changes by others are detected by the generation.
 */
export function createSessionMemory(
  store: SessionStore,
  record: SessionRecord,
  { announced = false }: { readonly announced?: boolean } = {},
): ConnectionMemory {
  let now = rememberedOf(record);
  /** Another request changed the session first, so reload it before asking again. */
  const refresh = async (): Promise<void> => {
    const current = await store.touch(record.id);
    if (current !== undefined) now = rememberedOf(current);
  };
  return {
    current: () => now,
    async invalidate() {
      // The endpoint has already done it, when the notification arrived.
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
    /** Stored when the session began. */
    keepInitialize() {},
  };
}

/** Leaves out the owner of the session, which is not the server's concern. */
function rememberedOf(record: SessionRecord): Remembered {
  const { id: _id, principal: _principal, protocolVersion: _version, ...rest } = record;
  return rest;
}
