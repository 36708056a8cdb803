/** The inspection methods `chronicle_*`, for the node's web page and other clients. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import type { Method } from '../../method.js';
import { contractMethod, supplyContractMethod } from './contract.js';
import { listenerMethods } from './listeners.js';
import { logEventsMethod } from './log-events.js';
import { matchQueryMethod } from './match-query.js';
import { readRecordsMethod } from './read-records.js';
import { rehearseUpgradeMethod } from './rehearse-upgrade.js';
import { stateDiffMethod, transactionDiffMethod } from './state-diff.js';

/** Creates the inspection methods of a node. */
export function inspectionMethods(inspection: InspectionApi, isDev: boolean): readonly Method[] {
  return [
    stateDiffMethod(inspection),
    transactionDiffMethod(inspection),
    logEventsMethod(inspection),
    readRecordsMethod(inspection),
    ...listenerMethods(inspection, isDev),
    contractMethod(inspection),
    matchQueryMethod(inspection),
    ...(isDev ? [rehearseUpgradeMethod(inspection), supplyContractMethod(inspection)] : []),
  ];
}
