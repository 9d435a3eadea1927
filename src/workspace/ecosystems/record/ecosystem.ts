import type { ProjectKind } from '../../project/project.ts';
import type { BuildSystem } from './build-system.ts';
import type { Declaration } from './declaration.ts';

/** All facts about one ecosystem. The tables that the tools use are computed from these records. */
export interface Ecosystem {
  /** The name in `project_info`: `node`, `rust`, `git` … */
  readonly name: string;
  /** Its files, the most significant first. */
  readonly markers: readonly MarkerRow[];
  /** Its commands, for `build_config`. */
  readonly build?: BuildSystem;
  /** Its languages, each with its file extensions. */
  readonly languages?: Readonly<Record<string, string>>;
  /** File names that are entry points. */
  readonly entryPoints?: readonly string[];
  /** Names of directories with generated or downloaded files; no search enters them. */
  readonly pruned?: readonly string[];
}

/** A file or directory whose name reveals a project, and the positions of its facts. */
export interface Marker {
  /** An exact name, or `*` with an extension. */
  readonly file: string;
  readonly kind: Exclude<ProjectKind, 'marker' | 'directory'>;
  /** The ecosystem it belongs to: `node`, `rust`, `git` … */
  readonly ecosystem: string;
  /** If a directory has several markers, the one with the lowest rank decides. */
  readonly rank: number;
  readonly shape: 'file' | 'directory' | 'either';
  /** Counts only if nothing better is found. */
  readonly weak: boolean;
  /** Subdirectories of a project have it too: the outermost of an unbroken chain is the project. */
  readonly repeats: boolean;
  /** The position of the project's name. */
  readonly name?: NameFormat;
  /** How it declares the packages of a monorepo. */
  readonly members?: Declaration;
  /** The positions of facts about the project. */
  readonly facts?: FactRow;
}

/** A marker as an ecosystem writes it; by default a manifest file. */
export type MarkerRow = Pick<Marker, 'file'> & Partial<Omit<Marker, 'file' | 'ecosystem' | 'rank'>>;

/** How a manifest names its project. */
export type NameFormat =
  /** The first of these paths through the parsed file that leads to a text. */
  | { readonly format: DataFormat; readonly at: readonly FieldPath[] }
  /** The group `name` of the first match. Best effort, for formats that are programs. */
  | { readonly format: 'text'; readonly pattern: RegExp }
  /** The name of the file, without its extension. */
  | { readonly format: 'file-name' };

/** The position of each fact in the parsed file. The first path that leads to a text counts. */
export interface FactRow {
  readonly format: DataFormat;
  readonly version?: readonly FieldPath[];
  readonly description?: readonly FieldPath[];
  readonly license?: readonly FieldPath[];
  /** Languages and runtimes with their required versions. */
  readonly requires?: Readonly<Record<string, FieldPath>>;
  readonly entryPoints?: readonly FieldPath[];
  readonly scripts?: readonly FieldPath[];
}

type DataFormat = 'json' | 'toml' | 'yaml' | 'xml';

/** Names of fields or elements, from the top of the file. */
export type FieldPath = readonly string[];
