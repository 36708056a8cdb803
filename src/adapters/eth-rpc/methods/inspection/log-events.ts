/** `chronicle_logEvents`: events of the log. */
import type { InspectionApi, LogPage, ShownEvent } from '../../../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { STREAM_OF } from '../../../../core/log-events.js';
import { toHeight } from '../../../../core/primitives.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, ok, type Method } from '../../method.js';
import { bad, decodeEach, good, withDefault, wrongKind } from '../../params/param.js';
import { fieldsOf, hash, looseQuantity, objectParam, type Field, type ValuesOf } from '../../params/fields.js';
import * as schema from '../../schema.js';
import { boolField, DECIMAL, limitField, oneOfField, textField, waitField } from './options.js';

const { logEvents: MOST, logEventsDefault, logWaitMs } = FIXED_LIMITS;
const TYPES = Object.keys(STREAM_OF);
const STREAMS = [...new Set(Object.values(STREAM_OF))];

/** Field with a list of names, each from a known list. */
function namesField(what: string, known: readonly string[]): Field<readonly string[]> {
  return {
    type: '[]string',
    schema: schema.listOf(schema.oneOfTexts(...known), known.length),
    decode(value, { field }) {
      if (!Array.isArray(value)) return wrongKind(value, '[]string', field);
      if (value.length > known.length) return bad(`more than the ${known.length} ${what}s that there are`);
      return decodeEach(value, (item: unknown) =>
        typeof item === 'string' && known.includes(item)
          ? good(item)
          : bad(`${JSON.stringify(item)} is no ${what}: ${known.join(', ')}`),
      );
    },
  };
}

/** Option fields with conditions on events. */
export const FILTER = {
  types: namesField('type', TYPES),
  streams: namesField('stream', STREAMS),
  height: looseQuantity,
  tx: hash,
  cause: textField,
} as const;

/** No conditions. */
export const NO_FILTER = { types: undefined, streams: undefined, height: undefined, tx: undefined, cause: undefined };

const OPTIONS = fieldsOf('LogFilter', {
  from: looseQuantity,
  to: looseQuantity,
  ...FILTER,
  data: oneOfField('decoded', 'raw', 'none'),
  limit: limitField('logEvents', MOST),
  descending: boolField,
  wait: waitField('logWaitMs', logWaitMs),
});

type Options = ValuesOf<typeof OPTIONS>;

const NO_OPTIONS: Options = {
  from: undefined,
  to: undefined,
  ...NO_FILTER,
  data: undefined,
  limit: undefined,
  descending: undefined,
  wait: undefined,
};

/** Schema of an event. */
export const EVENT: schema.Schema = {
  title: 'LogEvent',
  ...schema.objectOf(
    {
      position: DECIMAL,
      stream: schema.oneOfTexts(...STREAMS),
      streamPosition: DECIMAL,
      time: { type: 'string', pattern: '^-?[0-9]+$', description: 'nanoseconds since 1970' },
      cause: schema.TEXT,
      type: schema.oneOfTexts(...TYPES),
      v: schema.COUNT,
      height: schema.orNull(DECIMAL),
      abandoned: { ...schema.BOOLEAN, description: 'absent for an event of a file' },
      line: schema.TEXT,
      data: { description: 'absent where it is not asked for or too long' },
    },
    ['position', 'stream', 'streamPosition', 'time', 'cause', 'type', 'v', 'height', 'line'],
  ),
};

const PAGE: schema.Schema = {
  title: 'LogPage',
  ...schema.objectOf({ events: schema.listOf(EVENT, MOST), next: schema.orNull(DECIMAL), head: DECIMAL }),
};

/** Creates the method `chronicle_logEvents`. */
export function logEventsMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_logEvents',
    'Events of the log, by position, stream, type, height, transaction and cause',
    [withDefault(objectParam('filter', 'LogFilter', OPTIONS), NO_OPTIONS)],
    PAGE,
    async ([{ height, data = 'decoded', limit = logEventsDefault, descending = false, wait = 0, ...filter }]) => {
      const page = await inspection.logEvents({
        ...filter,
        height: height === undefined ? undefined : toHeight(height),
        isDescending: descending,
        limit,
        data,
        waitMs: wait,
      });
      return page.ok ? ok(pageText(page.value)) : failed(rpcErrorOf(page.error));
    },
  );
}

function pageText({ events, next, head }: LogPage): string {
  const nextText = next === undefined ? 'null' : `"${next}"`;
  return `{"events":[${events.map(eventText).join(',')}],"next":${nextText},"head":"${head}"}`;
}

/** An event as JSON text. */
export function eventText({ recorded, height, isAbandoned, line, data }: ShownEvent): string {
  const { position, stream, streamPosition, time, cause, event } = recorded;
  const members = JSON.stringify({
    position: String(position),
    stream,
    streamPosition: String(streamPosition),
    time: String(time),
    cause,
    type: event.type,
    v: event.v,
    height: height === undefined ? null : String(height),
    ...(isAbandoned !== undefined && { abandoned: isAbandoned }),
    line,
  });
  return data === undefined ? members : `${members.slice(0, -1)},"data":${data}}`;
}
