import { basename, dirname, join } from 'node:path';
import { openFileSink } from '../audit/file-sink.ts';
import { redact } from '../audit/redact.ts';
import { type AuditSink, createMemorySink } from '../audit/sink.ts';
import { quote } from '../base/quote.ts';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import type { LogFile } from '../boundary/write/log-file.ts';
import { findDirectories, openOwnDirectory } from '../config/own-directory.ts';
import { RootwardError } from '../errors.ts';
import type { Trace } from '../server/settings/trace-event.ts';
import type { CliContext, TerminalStream } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

/** The records of a server. */
export interface ServeRecords {
  /** Receives every decision. */
  readonly audit: AuditSink;
  /** Writes a step to the log file; does nothing without one. */
  readonly log: (event: object) => void;
  /** Logs the steps of attached servers. Compositions are logged only at the most detailed level. */
  readonly trace: Trace;
  close(): Promise<void>;
}

type RecordSettings = Pick<ServeSettings, 'logFile' | 'debug'> & Partial<Pick<ServeSettings, 'hideCommands'>>;

/**
 * Opens the audit log in the person's directory, and the log file if one was requested. If that log file cannot be
 * written, the server does not start. If the audit log cannot be written, it is kept in memory, and a line on
 * stderr says so.
 */
export async function openRecords(context: CliContext, settings: RecordSettings): Promise<ServeRecords> {
  const { log: directory } = findDirectories(context.process.env ?? {});
  const own = await openAudit(context, directory);
  const steps = await openSteps(context, settings, directory);
  const log = (event: object): void => {
    if (settings.debug) steps?.write(event);
    else if (!isDetail(event)) steps?.write({ ...event, params: undefined });
  };
  return {
    audit: settings.hideCommands === true ? redact(own.audit, { commands: 'hash' }) : own.audit,
    log,
    trace(event) {
      if (event.kind === 'warned') context.process.stderr.write(`rootward: ${event.message}\n`);
      log(event);
    },
    async close() {
      await own.audit.close?.();
      await Promise.all([own.boundary?.close(), steps?.close()]);
    },
  };
}

/** Events that only the most detailed log shows: they are long, or contain what a client sent as it came. */
const details: ReadonlySet<unknown> = new Set(['composed', 'initialize', 'stray-response']);

function isDetail(event: object): boolean {
  return 'kind' in event && details.has(event.kind);
}

interface OwnAudit {
  readonly audit: AuditSink;
  readonly boundary?: Boundary;
}

async function openAudit({ process: { stderr } }: CliContext, directory: string): Promise<OwnAudit> {
  try {
    requireOwnPlace(join(directory, 'audit.jsonl'));
    const boundary = await openOwnDirectory(directory);
    return { boundary, audit: await openFileSink(boundary) };
  } catch (error) {
    // A log that another user could rewrite is worse than none, and our other directories lie beside it.
    if (!RootwardError.is(error) || error.code === 'SHARED_PLACE') throw error;
    stderr.write(`rootward: decisions are kept in memory only: ${error.message}\n`);
    return { audit: createMemorySink() };
  }
}

interface StepLog {
  write(event: object): void;
  close(): Promise<void>;
}

async function openSteps(
  context: CliContext,
  settings: RecordSettings,
  directory: string,
): Promise<StepLog | undefined> {
  const { logFile, debug } = settings;
  if (logFile === undefined && !debug) return undefined;
  const { stderr } = context.process;
  const path = logFile ?? join(directory, 'debug.log');
  if (logFile === undefined) stderr.write(`rootward: every step is written to ${path}\n`);
  try {
    // A step log decides nothing, so the operator may put it where others can write.
    const boundary = await openOwnDirectory(dirname(path), () => {});
    return writeSteps(boundary, boundary.openLog(basename(path), { mode: 0o600 }), stderr);
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    const reason = `nothing can be written to ${quote(path)}: ${error.message}`;
    throw new RootwardError('INVALID_CONFIG', { where: '--log-file', reason }, { cause: error });
  }
}

/** A disk that fills up stops the log, and no call. */
function writeSteps(boundary: Boundary, file: LogFile, stderr: TerminalStream): StepLog {
  let open = true;
  const stop = (): void => {
    if (open) file.close();
    open = false;
  };
  return {
    write(event) {
      if (!open) return;
      try {
        file.append(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
      } catch (error) {
        if (!RootwardError.is(error)) throw error;
        stop();
        stderr.write(`rootward: the log ends here: ${error.message}\n`);
      }
    },
    async close() {
      stop();
      await boundary.close();
    },
  };
}
