/** `chronicle_readRecords`: decodes lines of `log export`, for the web page that opens exported log files. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { toHeight } from '../../../../core/primitives.js';
import { method, ok, type Method } from '../../method.js';
import { bad, decodeEach, good, required, withDefault, wrongKind } from '../../params/param.js';
import { fieldsOf, objectParam } from '../../params/fields.js';
import * as schema from '../../schema.js';
import { EVENT, eventText, FILTER, NO_FILTER } from './log-events.js';
import { oneOfField } from './options.js';

const { recordLines: MOST } = FIXED_LIMITS;

const lines = required('lines', schema.listOf(schema.TEXT, MOST), (value) => {
  if (!Array.isArray(value)) return wrongKind(value, '[]string');
  if (value.length > MOST) return bad(`limit recordLines (${MOST}) exceeded`);
  return decodeEach(value, (line: unknown) => (typeof line === 'string' ? good(line) : wrongKind(line, 'string')));
});

const OPTIONS = fieldsOf('ReadOptions', { ...FILTER, data: oneOfField('decoded', 'raw', 'none') });

const RECORDS: schema.Schema = {
  title: 'ReadRecords',
  ...schema.objectOf({
    records: schema.listOf(schema.listOf(EVENT), MOST),
    problem: schema.orNull(schema.objectOf({ line: schema.COUNT, message: schema.TEXT })),
  }),
};

/** Creates the method `chronicle_readRecords`. */
export function readRecordsMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_readRecords',
    'Events in lines of `chronicled log export`, of any chain; names the line that is none',
    [
      lines,
      withDefault(objectParam('options', 'ReadOptions', OPTIONS), {
        ...NO_FILTER,
        data: undefined,
      }),
    ],
    RECORDS,
    async ([given, { data = 'decoded', height, ...filter }]) => {
      const { records, problem } = await inspection.readRecords(given, {
        ...filter,
        height: height === undefined ? undefined : toHeight(height),
        data,
      });
      const texts = records.map((events) => `[${events.map(eventText).join(',')}]`);
      const found = problem === undefined ? 'null' : JSON.stringify({ line: problem.line, message: problem.reason });
      return ok(`{"records":[${texts.join(',')}],"problem":${found}}`);
    },
  );
}
