import { create, toBinary } from '@bufbuild/protobuf';
import { encodeAddress } from '../../../core/sdk/codec/address.js';
import type { Height } from '../../../core/primitives.js';
import type { PageRequest } from '../../../core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { ValidatorSchema } from '../../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import { PubKeySchema as Ed25519 } from '../../../core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { PubKeySchema as Secp256k1 } from '../../../core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import type { Validator } from '../../../core/proto/tendermint/types/validator_pb.js';
import type { CallContext } from '../method.js';
import { cometPage, numberedPage, pageSize } from '../page.js';
import { refusal, refusalOf, STATUS } from '../status.js';

/** A page of a height's validators, in the order of the set. */
export function validatorsAt({ api, facts, limits }: CallContext, height: Height, pagination: PageRequest | undefined) {
  const request = numberedPage(pagination, limits.searchPerPage);
  if (!request.ok) return request;
  const { chain } = api.queries;
  const set = chain.validators(height);
  if (set === undefined) return refusalOf({ code: 'height-pruned', height, lowest: chain.earliestHeight() });
  const page = cometPage(set.validators, request.page, pageSize(request.size, limits.searchPerPage));
  if (!page.ok) return refusal(STATUS.unknown, page.problem);
  const validators = page.items.map((validator) =>
    create(ValidatorSchema, {
      address: encodeAddress(`${facts.bech32Prefix}valcons`, validator.address),
      ...publicKey(validator),
      votingPower: validator.votingPower,
      proposerPriority: validator.proposerPriority,
    }),
  );
  return {
    ok: true as const,
    value: { blockHeight: height, validators, pagination: { total: BigInt(set.validators.length) } },
  };
}

/** The consensus key as an `Any` of the SDK's key types. */
function publicKey({ pubKey }: Validator): {
  readonly pubKey?: { readonly typeUrl: string; readonly value: Uint8Array };
} {
  const sum = pubKey?.sum;
  if (sum?.case === 'ed25519')
    return {
      pubKey: { typeUrl: `/${Ed25519.typeName}`, value: toBinary(Ed25519, create(Ed25519, { key: sum.value })) },
    };
  if (sum?.case === 'secp256k1')
    return {
      pubKey: { typeUrl: `/${Secp256k1.typeName}`, value: toBinary(Secp256k1, create(Secp256k1, { key: sum.value })) },
    };
  return {};
}
