import { parseMarker } from '../../workspace/project/parse-marker.ts';

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
  parse: (text) => parseMarker(text),
  variadic: true,
  optional: true,
  brief: "The product's own marker; may be repeated",
  placeholder: 'name',
};
