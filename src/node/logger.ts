import pino from 'pino';
import type { LogLevel } from '../core/config/daemon-options.js';

export interface Logger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Log lines go to standard error, so that standard output stays the banner's and the scripts'. */
export function createLogger(level: LogLevel, format: 'plain' | 'json'): Logger {
  const stream = pino.destination({ dest: 2, sync: true });
  if (format === 'json') {
    const logger = pino({ level, base: null }, stream);
    return { info: (message, fields) => logger.info(fields ?? {}, message), error: (message, fields) => logger.error(fields ?? {}, message) };
  }
  const shows = (line: 'info' | 'error'): boolean => pino.levels.values[line] !== undefined && level !== 'silent' && (pino.levels.values[line] ?? 0) >= (pino.levels.values[level] ?? 0);
  const write = (mark: string, message: string, fields?: object): void => {
    stream.write(`${mark}${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`);
  };
  return {
    info: (message, fields) => {
      if (shows('info')) write('', message, fields);
    },
    error: (message, fields) => {
      if (shows('error')) write('error: ', message, fields);
    },
  };
}
