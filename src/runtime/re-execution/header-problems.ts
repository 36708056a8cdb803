import type { ChainState } from '../../core/chain/chain-state.js';
import { consensusParamsHash, dataHash } from '../../core/comet/body-hash.js';
import { validatorSetHash } from '../../core/comet/validator-set.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { Header } from '../../core/proto/tendermint/types/types_pb.js';
import { differences } from '../../core/chain/execution-differences.js';

/**
 * Lists differences between a block's header and the chain state before it. `isWhole`: false for a block of an external
 * engine, of whose header the log has only parts.
 */
export function headerProblems(
  crypto: Pick<Crypto, 'sha256'>,
  state: ChainState,
  block: Block,
  header: Header,
  isWhole: boolean,
): readonly string[] {
  return [
    ...(header.height === state.height + 1n
      ? []
      : [`the block is of height ${header.height}, after height ${state.height}`]),
    ...differences(
      'hash of the previous block in the header',
      header.lastBlockId?.hash ?? new Uint8Array(),
      state.lastBlockId?.hash ?? new Uint8Array(),
    ),
    ...differences('app hash in the header', header.appHash, state.appHash),
    ...differences(
      'next validators hash in the header',
      header.nextValidatorsHash,
      validatorSetHash(crypto, state.nextValidators),
    ),
    ...(isWhole ? otherProblems(crypto, state, block, header) : []),
  ];
}

/** Checks the fields that only a complete header has. */
function otherProblems(
  crypto: Pick<Crypto, 'sha256'>,
  state: ChainState,
  block: Block,
  header: Header,
): readonly string[] {
  return [
    ...differences('hash of the transactions in the header', header.dataHash, dataHash(crypto, block.data?.txs ?? [])),
    ...differences(
      'consensus parameters hash in the header',
      header.consensusHash,
      consensusParamsHash(crypto, state.consensusParams),
    ),
    ...differences('results hash in the header', header.lastResultsHash, state.lastResultsHash),
    ...differences('validators hash in the header', header.validatorsHash, validatorSetHash(crypto, state.validators)),
  ];
}
