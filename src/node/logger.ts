import { CLEARED_LINE } from '../config/colours.js';
import type { LogLevel } from '../config/daemon-options.js';
import type { Logger } from '../core/ports/logger.js';
import { printableJson } from '../core/text/printable.js';

type Line = 'info' | 'error';

/** The log levels at which each kind of line is hidden. */
const HIDING: Readonly<Record<Line, ReadonlySet<LogLevel>>> = {
  info: new Set<LogLevel>(['warn', 'error', 'fatal', 'silent']),
  error: new Set<LogLevel>(['fatal', 'silent']),
};

/** Writes log lines to standard error; standard output is for the banner and for scripts. */
export async function createLogger(level: LogLevel, format: 'plain' | 'json'): Promise<Logger> {
  return format === 'json'
    ? createJsonLogger(level)
    : // At a terminal, the line that counts empty blocks has no end (`src/node/activity/line-writer.ts`).
      createPlainLogger(level, (text) => void process.stderr.write(process.stderr.isTTY ? CLEARED_LINE + text : text));
}

function createPlainLogger(level: LogLevel, write: (text: string) => void): Logger {
  const log = (line: Line, mark: string, message: string, fields: object | undefined): void => {
    if (!HIDING[line].has(level))
      write(`${mark}${message}${fields === undefined ? '' : ` ${printableJson(fields)}`}\n`);
  };
  return {
    info: (message, fields) => log('info', '', message, fields),
    error: (message, fields) => log('error', 'error: ', message, fields),
  };
}

async function createJsonLogger(level: LogLevel): Promise<Logger> {
  const { default: pino } = await import('pino');
  const logger = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
