/** What a caller wants to do with a path. */
export type Operation = 'read' | 'list' | 'write' | 'remove' | 'execute';

export const operations: readonly Operation[] = ['read', 'list', 'write', 'remove', 'execute'];
