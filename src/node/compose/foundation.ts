import type { DaemonOptions } from '../../config/daemon-options.js';
import { DEFAULT_LIMITS, DEV_LIMITS, type Limits } from '../../core/limits/limits.js';
import { requireHeight } from '../dev/branch-height.js';
import { openChainViews, type ChainViews } from './chain-views.js';
import type { NodeHost } from './node-host.js';
import { openHome, type OpenHome } from './open-home.js';
import { createSupervision, type Supervision } from './supervision.js';
import type { Undo } from './undo.js';
import { createSignals, type NodeSignals } from './wiring.js';

/** The parts of a node that exist before the first actor and that all others use. */
export interface Foundation {
  readonly options: DaemonOptions;
  readonly host: NodeHost;
  readonly limits: Limits;
  /** Steps that stop the started parts. */
  readonly undo: Undo;
  readonly supervision: Supervision;
  readonly home: OpenHome;
  /** The current chain, and the streams of its log. */
  readonly views: ChainViews;
  readonly signals: NodeSignals;
}

/** Opens home and chain; then the supervisor leaves the mode `booting`. */
export async function openFoundation(options: DaemonOptions, host: NodeHost, undo: Undo): Promise<Foundation> {
  const limits = options.mode === 'dev' ? DEV_LIMITS : DEFAULT_LIMITS;
  const signals = createSignals();
  const supervision = createSupervision(host, limits, signals);
  const home = await openHome(options, host, limits, undo, supervision.noticed);
  if (options.branch !== undefined) await requireHeight(home.log, options.branch);
  supervision.supervisor.send({ type: 'opened' });
  const views = await openChainViews({ options, host, limits, undo, supervision, home });
  return { options, host, limits, undo, supervision, home, views, signals };
}
