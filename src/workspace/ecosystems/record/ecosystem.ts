import type { ProjectKind } from '../../project/project.ts';
import type { BuildSystem } from './build-system.ts';
import type { Declaration } from './declaration.ts';

/** Everything that Rootward knows about one ecosystem. The tables that the tools use are computed from these records. */
export interface Ecosystem {
  /** As `project_info` shows it: `node`, `rust`, `git` … */
  readonly name: string;
  /** Its files, the one that says most first. */
  readonly markers: readonly MarkerRow[];
  /** Its commands, for `build_config`. */
  readonly build?: BuildSystem;
  /** Its languages, each with the extensions of its files. */
  readonly languages?: Readonly<Record<string, string>>;
  /** Names of files that are entry points by their name alone. */
  readonly entryPoints?: readonly string[];
  /** Names of directories in which its tools keep what they made or fetched: no search enters them. */
  readonly pruned?: readonly string[];
}

/** A file or directory whose name reveals a project, and where it states what. */
export interface Marker {
  /** An exact name, or `*` with an extension. */
  readonly file: string;
  readonly kind: Exclude<ProjectKind, 'marker' | 'directory'>;
  /** Whose file it is: `node`, `rust`, `git` … */
  readonly ecosystem: string;
  /** Of several markers in one directory the one with the lowest rank decides. */
  readonly rank: number;
  readonly shape: 'file' | 'directory' | 'either';
  /** Says little: counts only where nothing better is found. */
  readonly weak: boolean;
  /** Directories within one project have their own: the outermost of an unbroken chain is the project. */
  readonly repeats: boolean;
  /** Where it names the project. */
  readonly name?: NameFormat;
  /** How it declares the packages of a monorepo. */
  readonly members?: Declaration;
  /** Where it states facts about the project. */
  readonly facts?: FactRow;
}

/** A marker as its ecosystem writes it: a file that is a manifest unless it says otherwise. */
export type MarkerRow = Pick<Marker, 'file'> & Partial<Omit<Marker, 'file' | 'ecosystem' | 'rank'>>;

/** Where a manifest says what its project is called. */
export type NameFormat =
  /** The first of these paths through the parsed file that leads to a text. */
  | { readonly format: DataFormat; readonly at: readonly FieldPath[] }
  /** The group `name` of the first match: for formats that are programs, so best effort. */
  | { readonly format: 'text'; readonly pattern: RegExp }
  /** The name of the file, without its extension. */
  | { readonly format: 'file-name' };

/** Where each fact stands in the parsed file. The first path that leads to a text counts. */
export interface FactRow {
  readonly format: DataFormat;
  readonly version?: readonly FieldPath[];
  readonly description?: readonly FieldPath[];
  readonly license?: readonly FieldPath[];
  /** Languages and runtimes with the versions that the project needs. */
  readonly requires?: Readonly<Record<string, FieldPath>>;
  readonly entryPoints?: readonly FieldPath[];
  readonly scripts?: readonly FieldPath[];
}

type DataFormat = 'json' | 'toml' | 'yaml' | 'xml';

/** Names of fields or elements, from the top of the file. */
export type FieldPath = readonly string[];
