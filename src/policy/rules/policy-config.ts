import type { Operation } from '../../boundary/step/operation.ts';
import type { PresetName } from './permission-presets.ts';

/**
 * What a root permits, as a person writes it. As soon as one of `preset`, `allow` and `ask` is there, what none
 * of them names is denied; with none of them it is `read-only`.
 */
export interface PermissionConfig {
  readonly preset?: PresetName;
  /** More than the preset allows. */
  readonly allow?: readonly Operation[];
  /** Only after a person said yes, even where the preset allows it. */
  readonly ask?: readonly Operation[];
  /** Wins over everything else. */
  readonly deny?: readonly (string | DenyConfig)[];
}

export interface DenyConfig {
  /** As `compileGlobs` reads it, from the root on; case does not count. */
  readonly glob: string;
  /** All of them unless said. */
  readonly operations?: readonly Operation[];
  /** Shown to whoever is refused. */
  readonly reason?: string;
}

/** A policy as data: what a config file holds. */
export interface PolicyConfig extends PermissionConfig {
  /** Whether files that usually hold secrets are denied; yes unless said. */
  readonly secrets?: boolean;
  /**
   * By name of the root, or where a server is attached by its path: absolute, from `~/` on, or a file URI. An entry
   * with `preset`, `allow` or `ask` replaces what is said above for that root; `deny` always adds to it. A name that
   * several roots were given only takes away, in all of them.
   */
  readonly roots?: Readonly<Record<string, PermissionConfig>>;
}
