/** Messages of validators; only accounts without code may send them (cosmos/evm v0.6 `precompiles/staking/tx.go`). */
import { delegateOfCode } from '../../evm/delegation.js';
import { create } from '@bufbuild/protobuf';
import { readBase64 } from '../../bytes/go-base64.js';
import { getCode, getCodeHash, isEmptyCodeHash } from '../../modules/evm/store.js';
import { getParams } from '../../modules/staking/params.js';
import { PubKeySchema } from '../../proto/cosmos/crypto/ed25519/keys_pb.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { packAny } from '../../sdk/codec/any.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { ContractCall } from '../../sdk/module/stateful-precompile.js';
import { text, tuple } from '../abi/compounds.js';
import { address, bool, int256, padded, uint256 } from '../abi/words.js';
import { emitLog, packed, writeMethod } from '../contract.js';
import { deliver } from '../messages.js';
import { accountName, operatorName, requireAddressGiven, requireCaller } from '../requester.js';
import { abiDescription } from './structs.js';

const KEY_BYTES = 32;
const UNCHANGED = -1n;

function requireNoContract({ store }: Context, { caller }: ContractCall): void {
  const context = { store: unmetered(store) };
  const hash = getCodeHash(context, caller);
  const code = isEmptyCodeHash(hash) ? undefined : getCode(context, hash);
  if (code === undefined || delegateOfCode(code) !== undefined) return;
  throw plainError('this method can only be called directly to the precompile, not from a smart contract');
}

function keyOf(encoded: string): Uint8Array {
  const read = readBase64(encoded);
  if (!read.ok) throw plainError(read.problem);
  const { value: key } = read;
  if (key.length !== KEY_BYTES)
    throw plainError(`consensus pubkey len is invalid, got: ${key.length}, expected: ${KEY_BYTES}`);
  return key;
}

const createValidator = writeMethod(
  'createValidator',
  [abiDescription, tuple({ rate: uint256, maxRate: uint256, maxChangeRate: uint256 }), uint256, address, text, uint256],
  [bool],
  (context, [description, rates, minSelfDelegation, validator, pubkey, value], call) => {
    const { bondDenom } = getParams(context);
    requireAddressGiven(context, validator, 'validator');
    const key = keyOf(pubkey);
    requireNoContract(context, call);
    requireCaller(context, call, validator);
    deliver(context, pb.Msg, 'createValidator', {
      description,
      commission: {
        rate: rates.rate.toString(),
        maxRate: rates.maxRate.toString(),
        maxChangeRate: rates.maxChangeRate.toString(),
      },
      minSelfDelegation: minSelfDelegation.toString(),
      delegatorAddress: accountName(context, validator),
      validatorAddress: operatorName(context, validator),
      pubkey: packAny(PubKeySchema, create(PubKeySchema, { key })),
      value: coin(bondDenom, value),
    });
    emitLog(context, call, 'CreateValidator(address,uint256)', [padded(validator)], uint256.encode(value));
    return [true];
  },
);

const editValidator = writeMethod(
  'editValidator',
  [abiDescription, address, int256, int256],
  [bool],
  (context, [description, validator, commissionRate, minSelfDelegation], call) => {
    requireAddressGiven(context, validator, 'validator');
    requireNoContract(context, call);
    requireCaller(context, call, validator);
    deliver(context, pb.Msg, 'editValidator', {
      description,
      validatorAddress: operatorName(context, validator),
      commissionRate: commissionRate === UNCHANGED ? '' : commissionRate.toString(),
      minSelfDelegation: minSelfDelegation === UNCHANGED ? '' : minSelfDelegation.toString(),
    });
    emitLog(
      context,
      call,
      'EditValidator(address,int256,int256)',
      [padded(validator)],
      packed(int256.encode(commissionRate), int256.encode(minSelfDelegation)),
    );
    return [true];
  },
);

export const validatorMethods = [createValidator, editValidator];
