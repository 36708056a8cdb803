/** The methods `chronicle_*`: what the node tells of itself, for its page and for others. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import type { Method } from '../../method.js';
import { contractMethod, tellContractMethod } from './contract.js';
import { listenerMethods } from './listeners.js';
import { logEventsMethod } from './log-events.js';
import { matchQueryMethod } from './match-query.js';
import { readRecordsMethod } from './read-records.js';
import { rehearseUpgradeMethod } from './rehearse-upgrade.js';
import { stateDiffMethod, transactionDiffMethod } from './state-diff.js';

/** Rows of the registry over a node. */
export function inspectionMethods(inspection: InspectionApi, isDev: boolean): readonly Method[] {
  return [
    stateDiffMethod(inspection),
    transactionDiffMethod(inspection),
    logEventsMethod(inspection),
    readRecordsMethod(inspection),
    ...listenerMethods(inspection, isDev),
    contractMethod(inspection),
    matchQueryMethod(inspection),
    ...(isDev ? [rehearseUpgradeMethod(inspection), tellContractMethod(inspection)] : []),
  ];
}
