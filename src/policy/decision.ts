/** The verdict of the policy on one operation and one path. */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'ask';
  /**
   * The rule that decided, stable and printable: `deny:.env`, `allow:write`, `preset:read-only`,
   * `outside-roots`.
   */
  readonly rule: string;
  /** The reason, worded to complete the sentence "Cannot write "x": …". Names no path. */
  readonly reason: string;
  /** False: a person has to agree, and there was no way to ask one. */
  readonly asked?: false;
  /** The place that a person consented to. The consent covers no other place. */
  readonly agreed?: AskedPlace;
}

/** The place where an operation would act, found before a person is asked. */
export interface AskedPlace {
  /** Real names from the root that is held open, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** Links that the last name leads through: they may be passed, not acted on. */
  readonly links: readonly string[];
  /** The place is a directory: consent covers everything in it. */
  readonly whole: boolean;
}
