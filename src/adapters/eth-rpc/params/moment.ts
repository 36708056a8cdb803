/** Moment parameters (height or log position) of `chronicle_*` methods. */
import type { Moment } from '../../../core/inspection/api.js';
import { isObject } from '../../../core/text/json-object.js';
import * as schema from '../schema.js';
import { looseNumber, LOOSE_QUANTITY } from './numbers.js';
import { bad, good, required, type Decoded, type Param } from './param.js';

const TAGS = ['latest', 'earliest'] as const;

const MOMENT: schema.Schema = {
  title: 'Moment',
  description: 'a height, `latest`, `earliest`, or a position of the log: the last block that it holds',
  ...schema.anyOf(LOOSE_QUANTITY, schema.oneOfTexts(...TAGS), schema.objectOf({ position: LOOSE_QUANTITY })),
};

/** Creates a moment parameter: a height in any number form, a tag, or `{ position }`. */
export function momentParam(label: string): Param<Moment> {
  return required(label, MOMENT, readMoment);
}

/** Decodes a moment. */
function readMoment(value: unknown): Decoded<Moment> {
  const tag = TAGS.find((name) => name === value);
  if (tag !== undefined) return good({ kind: tag });
  const height = looseNumber(value);
  if (height !== undefined) return good({ kind: 'height', height });
  const position = isObject(value) ? looseNumber(value['position']) : undefined;
  if (position !== undefined) return good({ kind: 'position', position });
  return bad('no height, `latest`, `earliest` or { position }');
}
