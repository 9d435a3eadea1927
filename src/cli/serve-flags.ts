import type { Operation } from '../boundary/operation.ts';
import type { MergeMode } from '../policy/merge-outcome.ts';

/** Flags of `rootward serve`. What is not given may stand in the environment or in a file. */
export interface ServeFlags {
  readonly project?: string;
  readonly merge?: MergeMode;
  readonly readOnly?: boolean;
  readonly allow?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly marker?: readonly string[];
  readonly config?: string;
  readonly logFile?: string;
  readonly debug?: boolean;
  readonly http?: string;
  readonly host?: readonly string[];
  readonly origin?: readonly string[];
  readonly tokenFile?: string;
  readonly sessions?: string;
  readonly sessionsPrefix?: string;
  readonly sealingKeyFile?: string;
  readonly workers?: number;
  readonly store?: boolean;
  readonly server?: string;
  readonly allowUnconfinedShell?: boolean;
  readonly shellNetwork?: boolean;
  readonly shellEnv?: readonly string[];
  readonly shellRead?: readonly string[];
  readonly shellTimeout?: number;
  readonly shellMemory?: number;
  readonly shellProcesses?: number;
  readonly shellOutput?: number;
  readonly shellTmp?: number;
}
