declare module '@modelcontextprotocol/server-filesystem/dist/path-validation.js' {
  export function isPathWithinAllowedDirectories(path: string, directories: readonly string[]): boolean;
}
