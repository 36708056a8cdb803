/** Dev commands that describe the node, and that set its logging. */
import { hexData, hexQuantity } from '../../../../core/bytes/hex.js';
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { suggestedPrice } from '../../../../core/ethereum/suggested-price.js';
import { toHeight } from '../../../../core/primitives.js';
import { serverError } from '../../errors.js';
import { type Method, failed, method, ok } from '../../method.js';
import { bool } from '../../params/param.js';
import { command, named } from './names.js';

/** Creates the commands that describe the node or set its logging. */
export function nodeCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    ...named('nodeInfo', [], (name) =>
      method(name, 'Facts of the node and of the newest block', [], { type: 'object' }, (_values, { api }) => {
        const head = api.block(api.blockNumber());
        if (head === undefined) return failed(serverError('header not found'));
        return ok(
          JSON.stringify({
            currentBlockNumber: hexQuantity(head.height),
            currentBlockTimestamp: Number(head.timestamp),
            currentBlockHash: hexData(head.hash),
            hardFork: dev.facts().hardFork,
            transactionOrder: 'fees',
            environment: {
              baseFee: hexQuantity(api.nextBaseFee()),
              chainId: Number(api.chainId),
              gasLimit: hexQuantity(head.gasLimit),
              gasPrice: hexQuantity(suggestedPrice(api)),
            },
            forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
            network: null,
          }),
        );
      }),
    ),
    ...named('metadata', [], (name) =>
      method(name, 'Facts of this run of the node', [], { type: 'object' }, (_values, { api, clientVersion }) => {
        const { instanceId, snapshots } = dev.facts();
        const hashOf = (height: bigint): string | null => {
          const block = api.block(toHeight(height));
          return block === undefined ? null : hexData(block.hash);
        };
        return ok(
          JSON.stringify({
            clientVersion,
            clientSemver: /\/v([^/]+)/u.exec(clientVersion)?.[1] ?? null,
            clientCommitSha: null,
            chainId: Number(api.chainId),
            instanceId: hexData(instanceId),
            latestBlockNumber: Number(api.blockNumber()),
            latestBlockHash: hashOf(api.blockNumber()),
            forkedNetwork: null,
            snapshots: Object.fromEntries(
              [...snapshots].map(([id, height]) => [hexQuantity(id), [Number(height), hashOf(height)]]),
            ),
          }),
        );
      }),
    ),
    ...named('getGenesisTime', [], (name) =>
      method(name, 'Time of the genesis in seconds', [], { type: 'integer' }, () =>
        ok(String(dev.facts().genesisTime)),
      ),
    ),
    ...named('getLastBlockWallTime', [], (name) =>
      method(name, 'Time at which the newest block was made, in seconds', [], { type: 'number' }, () =>
        ok(String(dev.facts().lastBlockWallTime)),
      ),
    ),
    ...command('setLoggingEnabled', [], 'Sets whether the node prints what happens', [bool], ([isOn]) => {
      dev.logging.isOn = isOn;
      return { ok: true, value: undefined };
    }),
  ];
}
