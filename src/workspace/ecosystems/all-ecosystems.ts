import { bazel, just, make, nix, task } from './build-tools.ts';
import { dotnet } from './dotnet.ts';
import { godot, jetbrains, obsidian, rstudio, unreal, vscode } from './editor-projects.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { gradle, maven } from './java.ts';
import { deno, node } from './javascript.ts';
import {
  clojure,
  crystal,
  dart,
  elm,
  erlang,
  gleam,
  haskell,
  julia,
  nim,
  ocaml,
  php,
  ruby,
  scala,
} from './plain-languages.ts';
import { cpp, swift } from './native.ts';
import { python } from './python.ts';
import type { Ecosystem } from './record/ecosystem.ts';
import { rust } from './rust.ts';
import { git, jujutsu, mercurial, subversion } from './version-control.ts';
import { zig } from './zig.ts';

/** All known ecosystems. If a directory has markers of several, this order decides; see `markers`. */
export const ecosystems: readonly Ecosystem[] = [
  git,
  jujutsu,
  mercurial,
  subversion,
  node,
  deno,
  rust,
  python,
  maven,
  gradle,
  scala,
  go,
  dotnet,
  cpp,
  php,
  ruby,
  elixir,
  erlang,
  gleam,
  swift,
  dart,
  haskell,
  ocaml,
  clojure,
  julia,
  elm,
  crystal,
  nim,
  zig,
  bazel,
  godot,
  unreal,
  nix,
  make,
  just,
  task,
  vscode,
  rstudio,
  jetbrains,
  obsidian,
];
