import type { Ecosystem } from './record/ecosystem.ts';

// Languages with manifests alone. One that gets commands or packages moves to a file of its own.

export const scala: Ecosystem = {
  name: 'scala',
  markers: [{ file: 'build.sbt', name: { format: 'text', pattern: /\bname\s?:=\s?"(?<name>[^"\r\n]+)"/ } }],
  languages: { Scala: 'scala sc sbt' },
  pruned: ['target', '.ivy2'],
};

export const php: Ecosystem = {
  name: 'php',
  markers: [
    {
      file: 'composer.json',
      name: { format: 'json', at: [['name']] },
      facts: {
        format: 'json',
        version: [['version']],
        description: [['description']],
        license: [['license']],
        requires: { php: ['require', 'php'] },
        entryPoints: [['bin']],
        scripts: [['scripts']],
      },
    },
  ],
  languages: { PHP: 'php phtml' },
  pruned: ['vendor'],
};

export const ruby: Ecosystem = {
  name: 'ruby',
  markers: [{ file: '*.gemspec', name: { format: 'file-name' } }, { file: 'Gemfile' }],
  languages: { Ruby: 'rb rake erb' },
  pruned: ['vendor', '.bundle', '.gem', '.rbenv'],
};

export const erlang: Ecosystem = {
  name: 'erlang',
  markers: [{ file: 'rebar.config' }],
  languages: { Erlang: 'erl hrl' },
  pruned: ['_build'],
};

export const gleam: Ecosystem = {
  name: 'gleam',
  markers: [
    {
      file: 'gleam.toml',
      name: { format: 'toml', at: [['name']] },
      facts: { format: 'toml', version: [['version']], description: [['description']] },
    },
  ],
  languages: { Gleam: 'gleam' },
  pruned: ['build'],
};

export const dart: Ecosystem = {
  name: 'dart',
  markers: [
    {
      file: 'pubspec.yaml',
      name: { format: 'yaml', at: [['name']] },
      facts: {
        format: 'yaml',
        version: [['version']],
        description: [['description']],
        requires: { dart: ['environment', 'sdk'], flutter: ['environment', 'flutter'] },
        entryPoints: [['executables']],
      },
    },
  ],
  languages: { Dart: 'dart' },
  pruned: ['.dart_tool'],
};

export const haskell: Ecosystem = {
  name: 'haskell',
  markers: [{ file: 'stack.yaml' }, { file: '*.cabal', name: { format: 'file-name' } }],
  languages: { Haskell: 'hs lhs' },
  pruned: ['dist-newstyle', '.stack-work'],
};

export const ocaml: Ecosystem = {
  name: 'ocaml',
  markers: [{ file: 'dune-project' }],
  languages: { OCaml: 'ml mli' },
  pruned: ['_build'],
};

export const clojure: Ecosystem = {
  name: 'clojure',
  markers: [
    { file: 'project.clj', name: { format: 'text', pattern: /\(defproject\s(?<name>[^\s()"]+)/ } },
    { file: 'deps.edn' },
  ],
  languages: { Clojure: 'clj cljs cljc edn' },
};

export const julia: Ecosystem = {
  name: 'julia',
  markers: [
    {
      file: 'Project.toml',
      name: { format: 'toml', at: [['name']] },
      facts: { format: 'toml', version: [['version']], requires: { julia: ['compat', 'julia'] } },
    },
  ],
  languages: { Julia: 'jl' },
};

export const elm: Ecosystem = {
  name: 'elm',
  markers: [{ file: 'elm.json', name: { format: 'json', at: [['name']] } }],
  languages: { Elm: 'elm' },
  pruned: ['elm-stuff'],
};

export const crystal: Ecosystem = {
  name: 'crystal',
  markers: [{ file: 'shard.yml', name: { format: 'yaml', at: [['name']] } }],
  languages: { Crystal: 'cr' },
};

export const nim: Ecosystem = {
  name: 'nim',
  markers: [{ file: '*.nimble', name: { format: 'file-name' } }],
  languages: { Nim: 'nim nims' },
};
