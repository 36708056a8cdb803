/** All methods of Ethereum JSON-RPC. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { InspectionApi } from '../../core/inspection/api.js';
import type { Method } from './method.js';
import { discoverMethod } from './discover.js';
import { blockMethods } from './methods/blocks.js';
import { callBundleMethods } from './methods/call-bundle.js';
import { callManyMethods } from './methods/call-many.js';
import { callMethods } from './methods/calls.js';
import { configMethods } from './methods/config.js';
import { debugMethods } from './methods/debug.js';
import { debugStateMethods } from './methods/debug-state.js';
import { devMethods } from './methods/dev/index.js';
import { feeMethods } from './methods/fees.js';
import { inspectionMethods } from './methods/inspection/index.js';
import { logMethods } from './methods/logs.js';
import { nodeMethods } from './methods/node.js';
import { opcodeGasMethods } from './methods/opcode-gas.js';
import { otterscanMethods } from './methods/otterscan.js';
import { personalMethods } from './methods/personal.js';
import { proofMethods } from './methods/proofs.js';
import { rawMethods } from './methods/raw.js';
import { createSendQueue, sendMethods } from './methods/send.js';
import { signMethods } from './methods/sign.js';
import { sendConditionalMethods } from './methods/send-conditional.js';
import { sendSyncMethods } from './methods/send-sync.js';
import { simulateMethods } from './methods/simulate.js';
import { stateMethods } from './methods/state.js';
import { subscribeMethods } from './methods/subscribe.js';
import { traceCallMethods } from './methods/trace-calls.js';
import { traceMethods } from './methods/trace.js';
import { transactionMethods } from './methods/transactions.js';
import { txpoolMethods } from './methods/txpool.js';

export interface Registry {
  readonly methods: ReadonlyMap<string, Method>;
  /** Methods that this chain does not serve in this mode, with the reason. */
  readonly withheld: ReadonlyMap<string, string>;
  /** The requested namespaces with methods, plus `rpc`, sorted. */
  readonly namespaces: readonly string[];
}

/** Why commands that send unsigned transactions are not served. */
const NOT_ENABLED = 'the genesis of this chain does not enable development transactions (app_state.dev.enabled)';

/**
 * Collects the methods of the requested namespaces. Dev commands and inspection methods exist only if the node has
 * them.
 */
export function createRegistry(api: EthereumApi, namespaces: readonly string[], inspection?: InspectionApi): Registry {
  const queue = createSendQueue();
  const all = [
    nodeMethods,
    stateMethods,
    blockMethods,
    transactionMethods,
    feeMethods,
    callMethods,
    simulateMethods,
    callManyMethods,
    callBundleMethods,
    sendMethods(queue),
    signMethods(),
    sendSyncMethods(queue),
    sendConditionalMethods,
    logMethods,
    subscribeMethods,
    txpoolMethods,
    debugMethods,
    configMethods,
    personalMethods,
    proofMethods,
    debugStateMethods,
    traceMethods,
    traceCallMethods,
    opcodeGasMethods,
    otterscanMethods,
    rawMethods,
    inspection === undefined ? [] : inspectionMethods(inspection, api.dev !== undefined),
    api.dev === undefined ? [] : devMethods(api.dev, queue),
  ].flat();
  const served = all.filter(({ namespace }) => namespace === 'rpc' || namespaces.includes(namespace));
  const isWithheld = ({ isUnsigned }: Method): boolean =>
    isUnsigned === true && api.dev?.facts().takesTransactions === false;
  const available = served.filter((row) => !isWithheld(row));
  const enabled = [...available, discoverMethod(available)];
  return {
    withheld: new Map(served.filter(isWithheld).map(({ name }) => [name, NOT_ENABLED])),
    methods: new Map(enabled.map((entry) => [entry.name, entry])),
    namespaces: [...new Set(enabled.map(({ namespace }) => namespace))].toSorted(),
  };
}
