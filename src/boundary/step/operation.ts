/** The kinds of operation that a policy decides on. */
export type Operation = 'read' | 'list' | 'write' | 'remove' | 'execute';

export const operations: readonly Operation[] = ['read', 'list', 'write', 'remove', 'execute'];
