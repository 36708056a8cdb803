/** Queries of incentives (evmos v3.0.0 `x/incentives/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../bytes/big-endian.js';
import { text } from '../../bytes/bytes.js';
import { IncentiveSchema } from '../../proto/evmos/incentives/v1/incentives_pb.js';
import * as pb from '../../proto/evmos/incentives/v1/query_pb.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { defaultParams, getParams, STORE } from './params.js';
import {
  ALLOCATION_PREFIX,
  decodeAllocation,
  getAllocation,
  getGasMeter,
  getIncentive,
  hexAddress,
  INCENTIVE_PREFIX,
  metersOf,
} from './store.js';

function addressOf(shown: string, what: 'contract' | 'participant', refusal: string): Uint8Array {
  if (shown.trim() === '') throw grpcError('InvalidArgument', `${what} address is empty`);
  const address = hexAddress(shown);
  if (address === undefined) throw grpcError('InvalidArgument', refusal);
  return address;
}

const contractOf = (shown: string): Uint8Array =>
  addressOf(shown, 'contract', `invalid contract address ${shown}: invalid address`);

const listOf = (context: Context, prefix: Uint8Array) => ({ context, store: STORE, prefix, refuse: internalPage });

export const queries = [
  query(pb.Query, 'incentives', (context, { pagination }) =>
    paginate(listOf(context, INCENTIVE_PREFIX), pagination, ({ value }) => fromBinary(IncentiveSchema, value)),
  ),
  query(pb.Query, 'incentive', (context, { contract }) => {
    const address = addressOf(contract, 'contract', `invalid format for contract ${contract}, should be hex ('0x...')`);
    const incentive = getIncentive(context, address);
    if (incentive === undefined) throw grpcError('NotFound', `incentive with contract '${contract}'`);
    return { incentive };
  }),
  query(pb.Query, 'gasMeters', (context, { contract, pagination }) => {
    const prefix = metersOf(contractOf(contract));
    return paginate(listOf(context, prefix), pagination, ({ key, value }) => ({
      contract,
      participant: checksumAddress(context.crypto, key.slice(prefix.length)),
      cumulativeGas: readBe64(value),
    }));
  }),
  query(pb.Query, 'gasMeter', (context, { contract, participant }) => {
    const gas = getGasMeter(
      context,
      contractOf(contract),
      addressOf(participant, 'participant', `invalid participant address ${participant}: invalid address`),
    );
    if (gas === undefined)
      throw grpcError('NotFound', `gas meter with contract '${contract}' and user '${participant}'`);
    return { gasMeter: gas };
  }),
  query(pb.Query, 'allocationMeters', (context, { pagination }) =>
    paginate(listOf(context, ALLOCATION_PREFIX), pagination, ({ key, value }) => ({
      denom: text(key.subarray(1)),
      amount: decodeAllocation(value).toString(),
    })),
  ),
  query(pb.Query, 'allocationMeter', (context, { denom }) => {
    const amount = getAllocation(context, denom);
    if (amount === 0n) throw grpcError('NotFound', `allocationMeter with denomination '${denom}'`);
    return { allocationMeter: { denom, amount: amount.toString() } };
  }),
  query(pb.Query, 'params', (context) => ({ params: getParams(context) ?? defaultParams() })),
];
