/** One line of a declaration: directories that are packages, or that are none although another line says so. */
export interface MemberRule {
  /** A directory or a glob, relative to the directory of the declaration. */
  readonly pattern: string;
  /** Names one directory, whatever characters are in it. */
  readonly literal?: boolean;
  readonly except?: boolean;
}
