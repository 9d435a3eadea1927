/** What the policy says about one operation on one path. */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'ask';
  /** Which rule decided, stable and printable: `deny:.env`, `allow:write`, `preset:read-only`, `outside-roots`. */
  readonly rule: string;
  /** Why, as the end of the sentence "Cannot write "x": …". Names no path. */
  readonly reason: string;
}
