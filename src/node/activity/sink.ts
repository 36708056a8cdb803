import { lineText, type Line, type Severity } from '../../core/activity/line.js';
import type { DaemonOptions, LogLevel } from '../../config/daemon-options.js';
import type { Clock } from '../../core/ports/time.js';
import type { ActivitySink } from './activity-log.js';
import type { LineWriter } from './line-writer.js';
import { NS_PER_MS } from '../../core/primitives.js';

type Output = Pick<DaemonOptions, 'mode' | 'logLevel' | 'logFormat' | 'quiet'>;

/** The log levels at which lines of each severity are shown. */
const SHOWN: Readonly<Record<Severity, ReadonlySet<LogLevel>>> = {
  debug: new Set<LogLevel>(['trace', 'debug']),
  info: new Set<LogLevel>(['trace', 'debug', 'info']),
  warn: new Set<LogLevel>(['trace', 'debug', 'info', 'warn']),
};
/** Numbers of the severities in JSON lines (pino 10 `lib/levels.js`). */
const NUMBERS: Readonly<Record<Severity, number>> = { debug: 20, info: 30, warn: 40 };

/** True if lines of a severity are shown. `chronicled start` shows activity only from level `debug` on. */
export function isSeverityShown({ mode, logLevel, quiet }: Output, severity: Severity): boolean {
  return !quiet && SHOWN[mode === 'dev' ? severity : 'debug'].has(logLevel);
}

/** Writes lines as text, or each as one JSON object in the form of the other log lines. */
export function createSink(
  output: Output,
  writer: LineWriter,
  { clock, isColoured }: { readonly clock: Clock; readonly isColoured: boolean },
): ActivitySink {
  const write = output.logFormat === 'json' ? json(clock) : (line: Line) => lineText(line, isColoured);
  return {
    line(line) {
      if (isSeverityShown(output, line.severity)) writer.line(write(line));
    },
    status(line) {
      if (isSeverityShown(output, line.severity)) writer.status(write(line));
    },
  };
}

function json(clock: Clock): (line: Line) => string {
  return ({ severity, message, fields }) =>
    JSON.stringify({ level: NUMBERS[severity], time: Number(clock.now() / NS_PER_MS), ...fields, msg: message });
}
