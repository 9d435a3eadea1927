import type { Boundary } from '../../boundary/boundary.ts';
import {
  type ManifestFormat,
  type ManifestReading,
  readManifest,
  type ReadManifest,
} from './read-manifest.ts';

/** Reads each manifest once, for several who want something of it. */
export function readOnce(boundary: Boundary): ReadManifest {
  const readings = new Map<string, Promise<ManifestReading>>();
  return <Format extends ManifestFormat>(file: string, format: Format) => {
    const key = `${format} ${file}`;
    const reading = readings.get(key) ?? readManifest(boundary, file, format);
    readings.set(key, reading);
    return reading as Promise<ManifestReading<Format>>;
  };
}
