declare module '@modelcontextprotocol/server-filesystem/dist/path-validation.js' {
  export function isPathWithinAllowedDirectories(path: string, directories: readonly string[]): boolean;
}

declare module '@modelcontextprotocol/server-filesystem/dist/lib.js' {
  export function setAllowedDirectories(directories: readonly string[]): void;
  export function validatePath(path: string): Promise<string>;
  export function searchFilesWithValidation(
    root: string,
    pattern: string,
    allowed: readonly string[],
  ): Promise<readonly string[]>;
}
