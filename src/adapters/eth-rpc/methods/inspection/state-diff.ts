/** `chronicle_stateDiff` and `chronicle_transactionDiff`: state changes between two moments, or by a transaction. */
import { bytesOfDigits, hexData } from '../../../../core/bytes/hex.js';
import type { FoundMoment, InspectionApi, StateChange, StateDiff } from '../../../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, NULL, ok, type Method } from '../../method.js';
import { hash } from '../../params/hex.js';
import { bad, good, withDefault, type Decoded } from '../../params/param.js';
import { fieldsOf, objectParam, type Field } from '../../params/fields.js';
import { momentParam } from '../../params/moment.js';
import * as schema from '../../schema.js';
import { boolField, DECIMAL, limitField, textField } from './options.js';

const { diffChanges, diffChangesDefault } = FIXED_LIMITS;

/** The cursor of a page: `next` of the previous answer. */
const cursor: Field<Uint8Array> = {
  type: 'string',
  schema: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})+$' },
  decode: (value): Decoded<Uint8Array> => {
    const bytes = typeof value === 'string' && value.startsWith('0x') ? bytesOfDigits(value.slice(2)) : undefined;
    return bytes === undefined || bytes.length === 0 ? bad('cursor is not one that was answered') : good(bytes);
  },
};

const OPTIONS = fieldsOf('StateDiffOptions', {
  store: textField,
  limit: limitField('diffChanges', diffChanges),
  cursor,
  raw: boolField,
});

const NO_OPTIONS = { store: undefined, limit: undefined, cursor: undefined, raw: undefined };

const MOMENT = schema.objectOf({ height: DECIMAL, position: schema.orNull(DECIMAL) });
const TEXT_OR_NULL = schema.orNull(schema.TEXT);

const CHANGE: schema.Schema = {
  title: 'StateChange',
  ...schema.objectOf(
    {
      module: schema.TEXT,
      row: TEXT_OR_NULL,
      key: schema.listOf(
        schema.objectOf({ name: schema.TEXT, text: schema.TEXT, alias: schema.TEXT }, ['name', 'text']),
      ),
      kind: schema.oneOfTexts('created', 'changed', 'deleted'),
      index: schema.BOOLEAN,
      fields: schema.listOf(schema.objectOf({ name: schema.TEXT, before: TEXT_OR_NULL, after: TEXT_OR_NULL })),
      line: schema.TEXT,
      raw: schema.objectOf({
        key: schema.DATA,
        before: schema.orNull(schema.DATA),
        after: schema.orNull(schema.DATA),
      }),
    },
    ['module', 'row', 'key', 'kind', 'index', 'fields', 'line'],
  ),
};

const DIFF: schema.Schema = {
  title: 'StateDiff',
  ...schema.objectOf({
    from: MOMENT,
    to: MOMENT,
    changes: schema.listOf(CHANGE, diffChanges),
    written: schema.orNull(schema.mapOf(schema.TEXT, schema.COUNT)),
    next: schema.orNull(schema.DATA),
  }),
};

/** Creates the method `chronicle_stateDiff`. */
export function stateDiffMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_stateDiff',
    'What changed between two moments, by module and by names of fields',
    [
      momentParam('from'),
      momentParam('to'),
      withDefault(objectParam('options', 'StateDiffOptions', OPTIONS), NO_OPTIONS),
    ],
    DIFF,
    async ([from, to, { store, limit = diffChangesDefault, cursor: after, raw = false }]) => {
      const diff = await inspection.stateDiff({ from, to, store, limit, cursor: after });
      return diff.ok ? ok(JSON.stringify(diffJson(diff.value, raw))) : failed(rpcErrorOf(diff.error));
    },
  );
}

const TX_DIFF: schema.Schema = {
  title: 'TransactionDiff',
  ...schema.objectOf({
    height: DECIMAL,
    index: schema.COUNT,
    changes: schema.listOf(CHANGE, diffChanges),
    more: schema.COUNT,
  }),
};

const TX_OPTIONS = fieldsOf('TransactionDiffOptions', {
  limit: limitField('diffChanges', diffChanges),
  raw: boolField,
});

/** Creates the method `chronicle_transactionDiff`. */
export function transactionDiffMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_transactionDiff',
    'What a transaction changed, by either hash, by module and by names of fields',
    [
      hash,
      withDefault(objectParam('options', 'TransactionDiffOptions', TX_OPTIONS), { limit: undefined, raw: undefined }),
    ],
    schema.orNull(TX_DIFF),
    async ([transaction, { limit = diffChanges, raw = false }]) => {
      const diff = await inspection.transactionDiff(transaction, limit);
      if (!diff.ok) return failed(rpcErrorOf(diff.error));
      if (diff.value === undefined) return NULL;
      const { height, index, changes, more } = diff.value;
      const shown = changes.map((change) => changeJson(change, raw));
      return ok(JSON.stringify({ height: height.toString(), index, changes: shown, more }));
    },
  );
}

function diffJson({ from, to, changes, written, next }: StateDiff, isRaw: boolean): unknown {
  return {
    from: momentJson(from),
    to: momentJson(to),
    changes: changes.map((change) => changeJson(change, isRaw)),
    written: written === undefined ? null : Object.fromEntries(written),
    next: next === undefined ? null : hexData(next),
  };
}

function momentJson({ height, position }: FoundMoment): unknown {
  return { height: height.toString(), position: position?.toString() ?? null };
}

function changeJson({ store, row, key, kind, isIndex, fields, line, raw }: StateChange, isRaw: boolean): unknown {
  return {
    module: store,
    row: row ?? null,
    key: key.map(({ name, text, short }) => ({ name, text, ...(short !== undefined && { alias: short }) })),
    kind,
    index: isIndex,
    fields: fields.map(({ name, before, after }) => ({ name, before: before ?? null, after: after ?? null })),
    line,
    ...(isRaw && { raw: { key: hexData(raw.key), before: dataOrNull(raw.before), after: dataOrNull(raw.after) } }),
  };
}

function dataOrNull(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : hexData(bytes);
}
