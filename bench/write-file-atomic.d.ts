/** What of the package is measured against; it comes without types. */
declare module 'write-file-atomic' {
  export default function writeFileAtomic(file: string, text: string): Promise<void>;
}
