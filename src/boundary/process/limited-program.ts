/** What one program may use, as the kernel enforces it. */
export interface KernelLimits {
  /** Bytes of memory that one process may have for itself. */
  readonly memory: number;
  /** Processes of this user in the sandbox. The kernel exempts root. */
  readonly processes: number;
}

/**
 * A shell sets the limits and becomes the program: Node cannot set them for a child. `-u` is what bash calls
 * the number of processes, `-p` what dash calls it. Memory is counted as it is written to (`-d`): programs
 * reserve far more than they use, and a limit on that would end most of them at once. A limit that is lower
 * already stays.
 */
const script = `
ulimit -c 0
ulimit -d "$1" 2>/dev/null || [ "$(ulimit -d)" != unlimited ] || exit 125
ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null ||
  [ "$(ulimit -u 2>/dev/null || ulimit -p)" != unlimited ] || exit 125
shift 2
exec "$@"
`;

/** The arguments that start a program with limits. */
export function limitedProgram(
  file: string,
  args: readonly string[],
  { memory, processes }: KernelLimits,
): readonly string[] {
  const kibibytes = Math.ceil(memory / 1024);
  return ['/bin/sh', '-c', script, 'sh', String(kibibytes), String(processes), file, ...args];
}
