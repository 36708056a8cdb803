/** `eth_config` (EIP-7910): the forks of this chain, all active since genesis. */
import { fromHex, hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { forkId } from '../../../core/ethereum/fork-id.js';
import { precompilesOf } from '../../../core/evm/precompiles.js';
import { genesisHeight } from '../../../core/genesis/genesis-height.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { failed, type Method, method, ok } from '../method.js';
import * as schema from '../schema.js';

/** System contracts; they exist only if the genesis installs them. */
const SYSTEM_CONTRACTS = {
  /** EIP-4788. */
  BEACON_ROOTS_ADDRESS: fromHex('000f3df6d732807ef1319fb7b8bb8522d0beac02'),
  /** EIP-2935. */
  HISTORY_STORAGE_ADDRESS: fromHex('0000f90827f1c53a10cb7a02335b175320002935'),
} as const;

/** EIP-7691; target and maximum are zero, because there are no blobs. */
const BLOB_SCHEDULE = { baseFeeUpdateFraction: 5_007_716, max: 0, target: 0 } as const;

export const configMethods: readonly Method[] = [
  method(
    'eth_config',
    'Forks of this chain (EIP-7910)',
    [],
    schema.objectOf({ current: { type: 'object' }, next: schema.NULL, last: schema.NULL }),
    (_values, { api }) => {
      const genesis = api.block(genesisHeight(api.firstBlock()));
      if (genesis === undefined) return failed(serverError('header not found'));
      const systemContracts: Record<string, string> = {};
      for (const [name, address] of Object.entries(SYSTEM_CONTRACTS)) {
        const code = api.code(address, api.blockNumber());
        if (!code.ok) return failed(rpcErrorOf(code.error));
        if (code.value.length > 0) systemContracts[name] = hexData(address);
      }
      const precompiles = precompilesOf(api.fork).map(({ name, address }) => [name, hexData(address)]);
      const current = {
        activationTime: 0,
        blobSchedule: BLOB_SCHEDULE,
        chainId: hexQuantity(api.chainId),
        forkId: hexData(forkId(genesis.hash)),
        precompiles: Object.fromEntries(precompiles),
        systemContracts,
      };
      return ok(JSON.stringify({ current, next: null, last: null }));
    },
  ),
];
