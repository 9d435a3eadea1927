interface MarkerFlag {
  readonly kind: 'parsed';
  readonly parse: (text: string) => string;
  readonly variadic: true;
  readonly optional: true;
  readonly brief: string;
  readonly placeholder: string;
}

/** `--marker NAME`, for every command that looks for a product's own marker. */
export const markerFlag: MarkerFlag = {
  kind: 'parsed',
  parse: parseMarker,
  variadic: true,
  optional: true,
  brief: "The product's own marker; may be repeated",
  placeholder: 'name',
};

function parseMarker(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[\\/\0]/.test(text)) {
    throw new Error('the name of one file or directory is expected, such as .blue');
  }
  return text;
}
