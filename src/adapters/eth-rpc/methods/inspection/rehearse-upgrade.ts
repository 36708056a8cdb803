/** `chronicle_rehearseUpgrade`: runs an upgrade on a copy of the state and returns its changes. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, ok, type Method } from '../../method.js';
import { good, required, wrongKind } from '../../params/param.js';
import * as schema from '../../schema.js';
import { DECIMAL } from './options.js';

const name = required('name', schema.TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'string'),
);

const VERSION = schema.objectOf({
  name: schema.TEXT,
  before: schema.orNull(DECIMAL),
  after: schema.orNull(DECIMAL),
});

const REHEARSAL: schema.Schema = {
  title: 'UpgradeRehearsal',
  ...schema.objectOf(
    {
      works: schema.BOOLEAN,
      height: DECIMAL,
      versions: schema.listOf(VERSION),
      changes: schema.listOf(schema.TEXT),
      step: schema.TEXT,
      reason: schema.TEXT,
    },
    ['works', 'height'],
  ),
};

/** Creates the method. It exists in dev mode only, because it needs a CPU core and memory. */
export function rehearseUpgradeMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_rehearseUpgrade',
    'Rehearses an upgrade on a copy of the state, and names what it changes (dev mode)',
    [name],
    REHEARSAL,
    async ([wanted]) => {
      const rehearsal = await inspection.rehearseUpgrade(wanted);
      return rehearsal.ok ? ok(JSON.stringify(rehearsal.value)) : failed(rpcErrorOf(rehearsal.error));
    },
  );
}
