/** A map in order of last use: `set` makes an entry the most recent one. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    this.delete(key);
    return super.set(key, value);
  }

  /** Removes and returns the least recent values, so that at most so many are left. */
  trim(most: number): readonly Value[] {
    const removed: Value[] = [];
    for (const [key, value] of this) {
      if (this.size <= most) break;
      this.delete(key);
      removed.push(value);
    }
    return removed;
  }
}
