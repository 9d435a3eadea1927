/** The kinds of operation that a policy decides on. */
export type Operation = 'read' | 'list' | 'write' | 'remove' | 'execute';

export const operations: readonly Operation[] = ['read', 'list', 'write', 'remove', 'execute'];

/** One value for each operation. */
export type PerOperation<Value> = { readonly [Name in Operation]: Value };

export function perOperation<Value>(make: (operation: Operation) => Value): PerOperation<Value> {
  return {
    read: make('read'),
    list: make('list'),
    write: make('write'),
    remove: make('remove'),
    execute: make('execute'),
  };
}
