/** Slashing precompile (cosmos/evm v0.6 `precompiles/slashing`). */
import * as query from '../../proto/cosmos/slashing/v1beta1/query_pb.js';
import type { ValidatorSigningInfo } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { Msg } from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import { text } from '../../bytes/bytes.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import type { AbiValue } from '../abi/abi-type.js';
import { listOf, tuple } from '../abi/compounds.js';
import { address, bool, int, padded } from '../abi/words.js';
import { contractAddress, emitLog, messageContract, viewMethod, writeMethod } from '../contract.js';
import { requireConsensusAddress } from '../hex-address.js';
import { ask, deliver } from '../messages.js';
import { isZero, operatorName, requireCaller } from '../requester.js';
import { abiDec, abiPageRequest, abiPageResponse, pageIn, pageOut, PRECISION } from '../structs.js';

const abiSigningInfo = tuple({
  validatorAddress: address,
  startHeight: int(64),
  indexOffset: int(64),
  jailedUntil: int(64),
  tombstoned: bool,
  missedBlocksCounter: int(64),
});

const unjail = writeMethod('unjail', [address], [bool], (context, [validator], call) => {
  requireCaller(context, call, validator);
  deliver(context, Msg, 'unjail', { validatorAddr: operatorName(context, validator) });
  emitLog(context, call, 'ValidatorUnjailed(address)', [padded(validator)]);
  return [true];
});

const getSigningInfo = viewMethod('getSigningInfo', [address], [abiSigningInfo], (context, [consensus]) => {
  if (isZero(consensus)) throw plainError('invalid consensus address');
  const { valSigningInfo } = ask(context, query.Query, 'signingInfo', {
    consAddress: encodeAddress(`${context.chain.bech32Prefix}valcons`, consensus),
  });
  if (valSigningInfo === undefined) throw plainError('no validator signing info found');
  return [signingInfoOut(context, valSigningInfo)];
});

const getSigningInfos = viewMethod(
  'getSigningInfos',
  [abiPageRequest],
  [listOf(abiSigningInfo), abiPageResponse],
  (context, [page]) => {
    const { info, pagination } = ask(context, query.Query, 'signingInfos', { pagination: pageIn(page) });
    return [info.map((one) => signingInfoOut(context, one)), pageOut(pagination)];
  },
);

const getParams = viewMethod(
  'getParams',
  [],
  [
    tuple({
      signedBlocksWindow: int(64),
      minSignedPerWindow: abiDec,
      downtimeJailDuration: int(64),
      slashFractionDoubleSign: abiDec,
      slashFractionDowntime: abiDec,
    }),
  ],
  (context) => {
    const { params } = ask(context, query.Query, 'params', {});
    return [
      {
        signedBlocksWindow: params?.signedBlocksWindow ?? 0n,
        minSignedPerWindow: decOut(params?.minSignedPerWindow),
        downtimeJailDuration: params?.downtimeJailDuration?.seconds ?? 0n,
        slashFractionDoubleSign: decOut(params?.slashFractionDoubleSign),
        slashFractionDowntime: decOut(params?.slashFractionDowntime),
      },
    ];
  },
);

function signingInfoOut(context: Context, info: ValidatorSigningInfo): AbiValue<typeof abiSigningInfo> {
  return {
    validatorAddress: requireConsensusAddress(context, info.address, 'error parsing consensus address'),
    startHeight: info.startHeight,
    indexOffset: info.indexOffset,
    jailedUntil: info.jailedUntil?.seconds ?? 0n,
    tombstoned: info.tombstoned,
    missedBlocksCounter: info.missedBlocksCounter,
  };
}

/** Converts a decimal, which is stored as integer text. */
function decOut(value: Uint8Array | undefined): AbiValue<typeof abiDec> {
  return { value: BigInt(value === undefined ? '0' : text(value)), precision: PRECISION };
}

export const slashingContract: StatefulPrecompile = messageContract(contractAddress(0x806), [
  unjail,
  getSigningInfo,
  getSigningInfos,
  getParams,
]);
