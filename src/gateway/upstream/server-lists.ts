import { createHash } from 'node:crypto';
import type { Fields } from '../../base/fields.ts';
import { valueIn, type WireFrame } from '../relay/wire-frame.ts';

/** Each list of a server, and the notification that it has changed. */
const notifications: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'notifications/tools/list_changed'],
  ['prompts/list', 'notifications/prompts/list_changed'],
  ['resources/list', 'notifications/resources/list_changed'],
  ['resources/templates/list', 'notifications/resources/list_changed'],
]);

/** Remembers the lists that the client has seen, so that it can be told if those of a new process differ. */
export class ServerLists {
  readonly #seen = new Map<string, string>();

  /** Notes the first page of a list that the client gets. */
  note(request: WireFrame, answer: WireFrame): void {
    const { method = '' } = request;
    if (!notifications.has(method) || valueIn(request, 'params', 'cursor') !== undefined) return;
    if (answer.fields.has('result')) this.#seen.set(method, digest(valueIn(answer, 'result')));
  }

  /** The notifications about lists that a new process has otherwise. A list that it does not have any more counts. */
  async changed(ask: (method: string, params: Fields) => Promise<unknown>): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const [method, before] of this.#seen) {
      const now = digest(await ask(method, {}).catch(() => undefined));
      const notification = notifications.get(method);
      if (now !== before && notification !== undefined) found.add(notification);
      this.#seen.set(method, now);
    }
    return [...found];
  }
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64');
}
