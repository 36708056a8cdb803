import type { InspectionApi } from '../../core/inspection/api.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { hex } from '../../core/bytes/hex.js';
import type { Foundation } from '../compose/foundation.js';
import { stateDiff, type StateDiffSource } from './state-diff.js';

/** Composes the answers about the inside of a node. */
export function composeInspection({ host, home, views }: Foundation): InspectionApi {
  const source: StateDiffSource = {
    ledger: views.ledger,
    log: home.log,
    shown: () => views.streams.head(),
    store: home.store,
    timers: host.timers,
    spelling: spellingOf(views.chain.chain.bech32Prefix, host.devKeys),
  };
  return {
    stateDiff: (request) => stateDiff(source, request),
  };
}

/** Accounts of dev mode have the names of their keys: `dev0` and so on. */
function spellingOf(bech32Prefix: string, devKeys: Foundation['host']['devKeys']): Spelling {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    bech32Prefix,
    nameOf(address) {
      names ??= new Map(devKeys.addresses().map((one, index) => [hex(one), `dev${index}`]));
      return names.get(hex(address));
    },
  };
}
