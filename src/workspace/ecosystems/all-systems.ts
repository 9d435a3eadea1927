import type { BuildSystem } from './build-system.ts';
import { cargo } from './rust.ts';
import { deno } from './deno.ts';
import { dotnet } from './others.ts';
import { go } from './go.ts';
import { gradle } from './gradle.ts';
import { make } from './make.ts';
import { maven } from './java.ts';
import { node } from './node.ts';
import { python } from './python.ts';

/** Every build system that is known. Adding one is a file and a line. */
export const buildSystems: readonly BuildSystem[] = [
  node,
  deno,
  cargo,
  go,
  python,
  maven,
  gradle,
  dotnet,
  make,
];
