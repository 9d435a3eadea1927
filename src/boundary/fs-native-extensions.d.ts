/** The part that is used of a package that brings no types. */
declare module 'fs-native-extensions' {
  /** Takes the lock of a file, which belongs to the descriptor; `false` if another descriptor has it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
