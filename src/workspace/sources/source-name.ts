/** Where a candidate comes from, in default order. */
export type SourceName =
  | 'argument'
  | 'pinned'
  | 'switched'
  | 'request-meta'
  | 'roots'
  | 'remembered'
  | 'initialize'
  | 'client-env'
  | 'operator'
  | 'walk-up'
  | 'pwd';
