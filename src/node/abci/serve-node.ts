import { parseAbciAddress, startAbciServer, type AbciServer } from '../../adapters/abci/index.js';
import type { AbciApplication } from '../../core/abci/abci-application.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { invariant } from '../../core/errors.js';
import type { Clock } from '../../core/ports/time.js';
import type { Logger } from '../../core/ports/logger.js';
import { callsOf, type FacesHost } from '../faces-host.js';
import type { RunningNode } from '../node.js';

/** Starts the ABCI server for a consensus engine. Throws AddressInUse. */
export function serveEngine(
  app: AbciApplication,
  { engine }: DaemonOptions,
  node: Pick<RunningNode, 'noticed'>,
  { clock, log, onCall }: { readonly clock: Clock; readonly log: Logger } & Pick<FacesHost, 'onCall'>,
): Promise<AbciServer> {
  const address = parseAbciAddress(engine?.address ?? '');
  invariant(address !== undefined, 'the command has read the address');
  return startAbciServer({
    address,
    app,
    clock,
    log,
    onCall: callsOf({ onCall }, 'ABCI'),
    onFailure(error) {
      log.error('a call of the engine failed', { error: error instanceof Error ? error.message : String(error) });
      node.noticed(error);
    },
  });
}
