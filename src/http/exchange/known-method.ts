/** Every request that either revision knows, in either direction. */
const methods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
]);

/**
 * A method as a label: whoever counts keeps a row for each, so that a client must not be able to make up as many
 * as it likes.
 */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
