/** What the policy says about one operation on one path. */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'ask';
  /** Which rule decided, stable and printable: `deny:.env`, `allow:write`, `preset:read-only`, `outside-roots`. */
  readonly rule: string;
  /** Why, as the end of the sentence "Cannot write "x": …". Names no path. */
  readonly reason: string;
  /** The place that a person said yes to. The yes counts for no other. */
  readonly agreed?: AskedPlace;
}

/** Where an operation would act, found before a person is asked. */
export interface AskedPlace {
  /** Real names from the root that is held open, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** Links that the last name leads through: the way there, and no place to act on. */
  readonly links: readonly string[];
  /** A directory: the yes counts for everything in it. */
  readonly whole: boolean;
}
