/** Locks that the kernel keeps. They belong to a descriptor and end with it, however its process ends. */
export interface NativeLocks {
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

/** `undefined` where the package brings no binary: musl, such as Alpine, and rare processors. */
export async function loadNativeLocks(): Promise<NativeLocks | undefined> {
  try {
    const { tryLock, unlock } = await import('fs-native-extensions');
    return { tryLock: (fd) => tryLock(fd), unlock: (fd) => unlock(fd) };
  } catch {
    return undefined;
  }
}
