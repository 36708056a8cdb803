/**
 * Transfers over IBC (cosmos/evm v0.6 `precompiles/ics20`). This build has no channels: each transfer is refused as one
 * over a channel that does not exist, and there are no tokens of other chains.
 */
import { isValidDenom } from '../../sdk/coins.js';
import { plainError } from '../../sdk/sdk-error.js';
import type { StatefulPrecompile } from '../../sdk/stateful-precompile.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { address, uint, uint256 } from '../abi/words.js';
import { contractAddress, messageContract, method } from '../contract.js';
import { abiPageRequest, abiPageResponse, pageOut } from '../structs.js';

const abiDenom = tuple({ base: text, trace: listOf(tuple({ portId: text, channelId: text })) });

const transfer = method({
  name: 'transfer',
  inputs: [
    text,
    text,
    text,
    uint256,
    address,
    text,
    tuple({ revisionNumber: uint(64), revisionHeight: uint(64) }),
    uint(64),
    text,
  ],
  outputs: [uint(64)],
  writes: true,
  run(_context, _call, [port, channel, denom, amount, , receiver]) {
    if (!isValidDenom(denom) || amount === 0n) throw plainError(`${amount}${denom}: invalid coins`);
    if (receiver.trim() === '') throw plainError('missing recipient address: invalid address');
    throw plainError(`port ID (${port}) channel ID (${channel}): channel not found`);
  },
});

const denom = method({
  name: 'denom',
  inputs: [text],
  outputs: [abiDenom],
  run: () => [{ base: '', trace: [] }],
});

const denoms = method({
  name: 'denoms',
  inputs: [abiPageRequest],
  outputs: [listOf(abiDenom), abiPageResponse],
  run: () => [[], pageOut(undefined)],
});

const denomHash = method({
  name: 'denomHash',
  inputs: [text],
  outputs: [text],
  run: () => [''],
});

export const ics20Contract: StatefulPrecompile = messageContract(contractAddress(0x802), [
  transfer,
  denom,
  denoms,
  denomHash,
]);
