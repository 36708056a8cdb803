/** `chronicle_matchQuery`: tests a query of the consensus RPC against recent events. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, ok, type Method } from '../../method.js';
import { fieldsOf, objectParam } from '../../params/fields.js';
import { good, required, withDefault, wrongKind } from '../../params/param.js';
import * as schema from '../../schema.js';
import { DECIMAL, limitField } from './options.js';

const { matchedBlocks, matchedBlocksDefault, queryMatches } = FIXED_LIMITS;

const query = required('query', schema.TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'string'),
);

const OPTIONS = fieldsOf('MatchOptions', { blocks: limitField('matchedBlocks', matchedBlocks) });

const MATCHES: schema.Schema = {
  title: 'QueryMatches',
  ...schema.objectOf({
    query: schema.TEXT,
    from: DECIMAL,
    to: DECIMAL,
    examined: schema.COUNT,
    total: schema.COUNT,
    matches: schema.listOf(
      schema.objectOf({
        height: DECIMAL,
        type: schema.TEXT,
        txHash: schema.orNull(schema.TEXT),
        values: schema.mapOf(schema.TEXT, schema.listOf(schema.TEXT)),
      }),
      queryMatches,
    ),
  }),
};

/** Creates the method `chronicle_matchQuery`. */
export function matchQueryMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_matchQuery',
    'Events of the last blocks that a query of a subscription would have matched',
    [query, withDefault(objectParam('options', 'MatchOptions', OPTIONS), { blocks: undefined })],
    MATCHES,
    async ([text, { blocks = matchedBlocksDefault }]) => {
      const found = await inspection.matchQuery(text, blocks);
      if (!found.ok) return failed(rpcErrorOf(found.error));
      const { from, to, matches, ...facts } = found.value;
      const shown = matches.map(({ height, txHash, ...others }) => ({
        height: String(height),
        txHash: txHash ?? null,
        ...others,
      }));
      return ok(JSON.stringify({ ...facts, from: String(from), to: String(to), matches: shown }));
    },
  );
}
