/** Genesis of slashing (cosmos-sdk v0.53 `x/slashing/keeper/genesis.go`). Runs after staking. */
import { create, fromBinary } from '@bufbuild/protobuf';
import { prefixRange } from '../../bytes/key-order.js';
import { GenesisStateSchema } from '../../proto/cosmos/slashing/v1beta1/genesis_pb.js';
import { ValidatorSigningInfoSchema } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { addressAt, GenesisError } from '../../sdk/module/genesis-section.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { consensusText } from '../staking/addresses.js';
import { allValidators } from '../staking/validators.js';
import { consensusOfKey, SIGNING_INFO_PREFIX, STORE } from './keys.js';
import { missedBlocks, setMissed } from './missed-blocks.js';
import { DEFAULT_PARAMS, getParams, paramsMessage, paramsOfMessage, paramsProblem, setParams } from './params.js';
import { addPublicKey } from './public-keys.js';
import { setSigningInfo, signingInfoOfMessage } from './signing-info.js';

const PATH = 'app_state.slashing';

/**
 * Stores public keys, signing infos, missed blocks and parameters; throws `GenesisError` with the path of an invalid
 * value.
 */
export function initGenesis(context: Context, section: unknown): void {
  const state = readDecimalSection(PATH, GenesisStateSchema, section ?? {});
  const params = state.params ?? paramsMessage(DEFAULT_PARAMS);
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  const prefix = `${context.chain.bech32Prefix}valcons`;
  for (const validator of allValidators(context)) addPublicKey(context, validator);
  state.signingInfos.forEach(({ address, validatorSigningInfo: info }, index) =>
    setSigningInfo(
      context,
      signingInfoOfMessage(
        addressAt(`${PATH}.signing_infos[${index}].address`, prefix, address),
        info ?? create(ValidatorSigningInfoSchema),
      ),
    ),
  );
  state.missedBlocks.forEach(({ address, missedBlocks: blocks }, index) => {
    const consensus = addressAt(`${PATH}.missed_blocks[${index}].address`, prefix, address);
    for (const { index: block, missed } of blocks) {
      if (block < 0n) throw new GenesisError(`${PATH}.missed_blocks[${index}]`, `negative index: ${block}`);
      setMissed(context, consensus, block, missed);
    }
  });
  setParams(context, paramsOfMessage(params));
}

/** Exports parameters, signing infos and the indices of missed blocks. */
export function exportGenesis(context: Context): unknown {
  const infos = Array.from(context.store.range(STORE, prefixRange(SIGNING_INFO_PREFIX)), ({ key, value }) => ({
    consensus: consensusOfKey(key),
    info: fromBinary(ValidatorSigningInfoSchema, value),
  }));
  return writeDecimalSection(GenesisStateSchema, {
    params: paramsMessage(getParams(context)),
    signingInfos: infos.map(({ consensus, info }) => ({
      address: consensusText(context, consensus),
      validatorSigningInfo: info,
    })),
    missedBlocks: infos.map(({ consensus }) => ({
      address: consensusText(context, consensus),
      missedBlocks: Array.from(missedBlocks(context, consensus), (index) => ({ index, missed: true })),
    })),
  });
}
