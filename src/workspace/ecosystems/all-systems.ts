import type { BuildSystem } from './build-system.ts';
import { go } from './go.ts';
import { gradle, maven } from './java.ts';
import { deno, node } from './node.ts';
import { dotnet, make } from './others.ts';
import { python } from './python.ts';
import { cargo } from './rust.ts';

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
