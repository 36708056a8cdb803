/** Airdrop that accounts claim by their first actions (evmos v3.0.0 `x/claims`). */
import { GO_ZERO_TIME } from '../../comet/time.js';
import { GenesisStateSchema } from '../../proto/evmos/claims/v1/genesis_pb.js';
import { encodeAddress, moduleAddress, parseAddress } from '../../sdk/codec/address.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { type Invariant, type Module, query } from '../../sdk/module/module.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { allBalances, getBalance } from '../bank/balances.js';
import { endBlock } from './end-block.js';
import {
  CLAIMS,
  type ClaimsParams,
  STORE,
  airdropEnd,
  defaultParams,
  getParams,
  isActive,
  paramsMessage,
  paramsOfMessage,
  paramsProblem,
  setParams,
} from './params.js';
import {
  ACTIONS,
  RECORD_PREFIX,
  allRecords,
  decodeRecord,
  getRecord,
  hasClaimed,
  setRecord,
  unclaimed,
} from './records.js';
import * as pb from '../../proto/evmos/claims/v1/query_pb.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { SdkError, grpcError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { claimableAmount } from './claim.js';

/** Queries of claims (evmos v3.0.0 `x/claims/keeper/grpc_query.go`). */
const paramsOf = (context: Context): ClaimsParams => getParams(context) ?? defaultParams(context.chain.baseDenom);

function addressOf({ chain }: Context, text: string): Uint8Array {
  try {
    return requireQueriedAddress(chain.bech32Prefix, text);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('InvalidArgument', error.message) : error;
  }
}

const queries = [
  query(pb.Query, 'totalUnclaimed', (context) => ({
    coins: allBalances(context, moduleAddress(context.crypto, CLAIMS)),
  })),
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(paramsOf(context)) })),
  query(pb.Query, 'claimsRecords', (context, { pagination }) => {
    const list = { context, store: STORE, prefix: RECORD_PREFIX, refuse: internalPage };
    return paginate(list, pagination, ({ key, value }) => {
      const { initial, completed } = decodeRecord(value);
      return {
        address: encodeAddress(context.chain.bech32Prefix, key.slice(1)),
        initialClaimableAmount: initial.toString(),
        actionsCompleted: [...completed],
      };
    });
  }),
  query(pb.Query, 'claimsRecord', (context, { address }) => {
    const record = getRecord(context, addressOf(context, address));
    if (record === undefined) throw grpcError('NotFound', `claims record for address '${address}'`);
    const params = paramsOf(context);
    return {
      initialClaimableAmount: record.initial.toString(),
      claims: ACTIONS.map((action) => ({
        action,
        completed: hasClaimed(record, action),
        claimableAmount: claimableAmount(record, action, params, context.time).claimable.toString(),
      })),
    };
  }),
];

const PATH = 'app_state.claims';

/** Unclaimed coins of all records. */
function totalUnclaimed(context: Context): bigint {
  let total = 0n;
  for (const { record } of allRecords(context)) total += unclaimed(record);
  return total;
}

const escrowed = (context: Context, { denom }: ClaimsParams): bigint =>
  getBalance(context, moduleAddress(context.crypto, CLAIMS), denom);

/** Requires that the module account has exactly the unclaimed coins, as in evmos. */
function initGenesis(context: Context, section: unknown): void {
  const read = readSection(PATH, GenesisStateSchema, section ?? {});
  const given = read.params === undefined ? defaultParams(context.chain.baseDenom) : paramsOfMessage(read.params);
  const problem = paramsProblem(given);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  const params = given.start === GO_ZERO_TIME ? { ...given, start: context.time } : given;
  ensureModuleAccount(context, CLAIMS);
  setParams(context, params);
  read.claimsRecords.forEach(({ address: text, initialClaimableAmount, actionsCompleted }, index) => {
    const refuse = (reason: string): never => {
      throw new GenesisError(`${PATH}.claims_records[${index}]`, reason);
    };
    const address = parseAddress(context.chain.bech32Prefix, text) ?? refuse(`not an address: ${text}`);
    const initial = parseAmount(initialClaimableAmount) ?? refuse(`not an amount: ${initialClaimableAmount}`);
    if (initial === 0n) refuse(`initial claimable amount is not positive, ${initial}`);
    if (actionsCompleted.length !== ACTIONS.length)
      refuse(`action length mismatch, expected ${ACTIONS.length}, got ${actionsCompleted.length}`);
    if (getRecord(context, address) !== undefined) refuse(`duplicated claims record entry ${text}`);
    setRecord(context, address, { initial, completed: actionsCompleted });
  });
  // An airdrop that has ended leaves its rest to the community pool, and its records are deleted step by step.
  if (context.time > airdropEnd(params)) return;
  const [sum, escrowBalance] = [totalUnclaimed(context), escrowed(context, params)];
  if (sum !== escrowBalance)
    throw new GenesisError(
      PATH,
      `sum of unclaimed amount ≠ escrowed module account amount (${sum} ≠ ${escrowBalance})`,
    );
}

function exportGenesis(context: Context): unknown {
  const params = getParams(context) ?? defaultParams(context.chain.baseDenom);
  const claimsRecords = Array.from(allRecords(context), ({ address, record: { initial, completed } }) => ({
    address: encodeAddress(context.chain.bech32Prefix, address),
    initialClaimableAmount: initial.toString(),
    actionsCompleted: [...completed],
  }));
  return writeSection(GenesisStateSchema, { params: paramsMessage(params), claimsRecords });
}

/** While claims are possible, the module account holds the unclaimed coins of all records (`invariants.go`). */
const escrow: Invariant = {
  name: 'claims/claims-invariant',
  check(context) {
    const params = getParams(context);
    if (params === undefined || !isActive(params, context.time)) return undefined;
    const [sum, escrowBalance] = [totalUnclaimed(context), escrowed(context, params)];
    return escrowBalance < sum
      ? `sum of unclaimed amount: ${sum}, escrowed balance amount: ${escrowBalance}`
      : undefined;
  },
};

export const claimsModule: Module = {
  name: CLAIMS,
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries,
  endBlock,
  invariants: [escrow],
};
