/** Genesis of governance (cosmos-sdk v0.53 `x/gov/genesis.go`, `x/gov/types/v1/genesis.go`). */
import { create, fromBinary, isMessage, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { fromTimestamp } from '../../comet/time.js';
import { GenesisStateSchema, type GenesisState } from '../../proto/cosmos/gov/v1/genesis_pb.js';
import { ProposalStatus } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { MsgExecLegacyContentSchema } from '../../proto/cosmos/gov/v1/tx_pb.js';
import { typeNameOf } from '../../sdk/codec/any.js';
import { formatCoins, sumCoins } from '../../sdk/coins/coins.js';
import { complete } from '../../sdk/codec/complete-message.js';
import type { Context } from '../../sdk/module/context.js';
import { addressAt, GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { paramsProblem } from './check-params.js';
import { depositsFor, GOV, setDeposit } from './deposits.js';
import { defaultParams, getConstitution, getParams, setConstitution, setParams } from './params.js';
import { allProposals, enqueue, nextId, setNextId, setProposal } from './proposals.js';
import { setVote, votesOn } from './votes.js';

const PATH = 'app_state.gov';

/** Stores the section; defaults are the SDK's parameters and proposal ids from 1. */
export function initGenesis(context: Context, section: unknown): void {
  const state = readSection(PATH, GenesisStateSchema, section ?? { starting_proposal_id: '1' }, context.router.types);
  const params = state.params ?? defaultParams(context);
  const prefix = context.chain.bech32Prefix;
  const problem = paramsProblem(params, prefix);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  requireUnique(state);
  setNextId(context, state.startingProposalId);
  setParams(context, params);
  setConstitution(context, state.constitution);
  const account = ensureModuleAccount(context, GOV);
  state.deposits.forEach((deposit, index) =>
    setDeposit(context, addressAt(`${PATH}.deposits[${index}].depositor`, prefix, deposit.depositor), deposit),
  );
  state.votes.forEach((vote, index) =>
    setVote(context, addressAt(`${PATH}.votes[${index}].voter`, prefix, vote.voter), vote),
  );
  for (const read of state.proposals) {
    const proposal = { ...read, messages: read.messages.map((any) => storedMessage(context, any)) };
    if (proposal.status === ProposalStatus.DEPOSIT_PERIOD)
      enqueue(context, 'inactive', fromTimestamp(proposal.depositEndTime), proposal.id);
    if (proposal.status === ProposalStatus.VOTING_PERIOD)
      enqueue(context, 'active', fromTimestamp(proposal.votingEndTime), proposal.id);
    setProposal(context, proposal);
  }
  for (const { denom, amount } of sumCoins(state.deposits.flatMap((deposit) => deposit.amount))) {
    const balance = getBalance(context, account, denom);
    if (balance !== BigInt(amount))
      throw new GenesisError(
        `${PATH}.deposits`,
        `expected module account was ${balance}${denom} but we got ${formatCoins([{ denom, amount }])}`,
      );
  }
}

/** A message as stored in the state: JSON readers put a host before type names. */
function storedMessage({ router }: Context, { typeUrl, value }: Any): Any {
  const name = typeNameOf({ typeUrl });
  const schema = router.types.getMessage(name);
  if (schema === undefined) throw new GenesisError(`${PATH}.proposals`, `unknown type of a message: ${name}`);
  const message = complete(schema, fromBinary(schema, value));
  if (isMessage(message, MsgExecLegacyContentSchema) && message.content !== undefined)
    message.content.typeUrl = `/${typeNameOf(message.content)}`;
  return create(AnySchema, { typeUrl: `/${name}`, value: toBinary(schema, message) });
}

/** Requires unique proposals, deposits and votes, and a proposal for each deposit and vote. */
function requireUnique({ startingProposalId, proposals, deposits, votes }: GenesisState): void {
  if (startingProposalId === 0n)
    throw new GenesisError(`${PATH}.starting_proposal_id`, 'starting proposal id must be greater than 0');
  const ids = new Set(proposals.map(({ id }) => id));
  if (ids.size < proposals.length) throw new GenesisError(`${PATH}.proposals`, 'holds a proposal id twice');
  const check = (name: string, rows: readonly { readonly proposalId: bigint; readonly by: string }[]): void => {
    const orphan = rows.find(({ proposalId }) => !ids.has(proposalId));
    if (orphan !== undefined)
      throw new GenesisError(`${PATH}.${name}`, `has non-existent proposal id: ${orphan.proposalId}`);
    if (new Set(rows.map(({ proposalId, by }) => `${proposalId} ${by}`)).size < rows.length)
      throw new GenesisError(`${PATH}.${name}`, 'holds two rows of one address for one proposal');
  };
  check(
    'deposits',
    deposits.map(({ proposalId, depositor }) => ({ proposalId, by: depositor })),
  );
  check(
    'votes',
    votes.map(({ proposalId, voter }) => ({ proposalId, by: voter })),
  );
}

/** Exports proposals, deposits, votes, parameters and the constitution. */
export function exportGenesis(context: Context): unknown {
  return writeSection(
    GenesisStateSchema,
    {
      startingProposalId: nextId(context),
      deposits: depositsFor(context).map(({ deposit }) => deposit),
      votes: votesOn(context).map(({ vote }) => vote),
      proposals: [...allProposals(context)],
      params: getParams(context),
      constitution: getConstitution(context),
    },
    context.router.types,
  );
}
