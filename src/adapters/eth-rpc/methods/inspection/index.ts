/** The methods `chronicle_*`: what the node tells of itself, for its page and for others. */
import type { InspectionApi } from '../../../../core/inspection/api.js';
import type { Method } from '../../method.js';
import { stateDiffMethod } from './state-diff.js';

/** Rows of the registry over a node. */
export function inspectionMethods(inspection: InspectionApi): readonly Method[] {
  return [stateDiffMethod(inspection)];
}
