/** Fields whose valid values depend on their meaning: chosen so that most messages have an effect. */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { anyAccepted, anyBytes, anyNamed } from './any.js';
import { deeper, type Making, type Value } from './making.js';
import * as values from './values.js';
import { bytes, number, text, write } from './wire.js';
import { isDue, type World } from './world.js';

type Particular = (making: Making) => readonly Value[];

/** The values of the field; undefined where its type is enough. */
export function particular(making: Making, desc: DescMessage, field: DescField): readonly Value[] | undefined {
  if (isDue(making.world)) return undefined;
  const short = desc.typeName.replace(/^(cosmos|ibc)\.(.*\.)?v[0-9a-z]+\./u, '');
  return (
    FIELDS[`${desc.typeName.split('.').slice(-3).join('.')}.${field.name}`] ??
    FIELDS[`${desc.typeName.split('.').slice(-2).join('.')}.${field.name}`] ??
    FIELDS[`${short}.${field.name}`] ??
    FIELDS[field.name]
  )?.(making);
}

/** An account that may not be there yet: of nobody, or one that signs once it is. */
const fresh = ({ random, prefix, actors }: World): string => {
  const late = actors.filter(({ name }) => name.startsWith('late'));
  return random.chance(0.5) ? random.pick(late).bech32 : encodeAddress(prefix, random.bytes(20));
};
const proposal: Particular = ({ world: { random, standing, proposals } }) => {
  const open = standing.proposals.length > 0 && random.chance(0.85) ? random.pick(standing.proposals).id : undefined;
  return [open ?? BigInt(Math.max(1, proposals - random.below(4)))];
};
const voted: Particular = (making) => {
  const { random, standing } = making.world;
  const open = standing.proposals.filter(({ isVoted }) => isVoted);
  return open.length > 0 && random.chance(0.9) ? [random.pick(open).id] : proposal(making);
};
const staked = (world: World, of = 'atest'): Uint8Array => values.coin(world, of);
const native: Particular = ({ world }) => [staked(world)];
const sometimes =
  (probability: number, make: Particular): Particular =>
  (making) =>
    making.world.random.chance(probability) ? make(making) : [];
const word: Particular = ({ world }) => [values.plainText(world)];
const unbonding = ({ world, actor }: Making) =>
  world.standing.unbondings.findLast(({ delegator }) => delegator === actor.bech32);

/** The operator whom the account has its first or another delegation with, mostly. */
const delegated: Particular = ({ world, actor }) => {
  const own = world.standing.delegations.filter(({ delegator }) => delegator === actor.bech32);
  return [own.length > 0 && world.random.chance(0.9) ? world.random.pick(own).operator : values.operator(world)];
};
/** All that the account has delegated to somebody, or another amount; the chain's first validator keeps its stake. */
const someStake: Particular = ({ world, actor }) => {
  if (actor.name === 'founder') return [staked(world)];
  const own = world.standing.delegations.filter(({ delegator }) => delegator === actor.bech32);
  if (own.length === 0 || world.random.chance(0.5)) return [staked(world)];
  const { amount } = world.random.pick(own);
  const part = world.random.pick([amount, amount, amount / 2n, amount - 1n, amount + 1n]);
  return [write([text(1, 'atest'), text(2, String(part))])];
};

/** Weights of a vote's options, which are 1 together. */
function weights(write18: (value: bigint) => string): Particular {
  return ({ world: { random } }) => {
    const first = random.bigBelow(10n ** 18n - 2n) + 1n;
    const options = random.shuffled([1, 2, 3, 4]);
    const parts = random.chance(0.5) ? [10n ** 18n] : [first, 10n ** 18n - first];
    return parts.map((part, index) => write([number(1, options[index] ?? 1), text(2, write18(part))]));
  };
}

const authorityOf = ({ world }: Making): Making['actor'] => ({
  name: 'gov',
  bech32: world.authority,
  operator: world.authority,
  address: new Uint8Array(20),
});

/** Messages that a proposal may hold: most of them are those that only gov may send. */
function proposed(making: Making): readonly Value[] {
  const { world } = making;
  const { random } = world;
  const inside: Making = { ...making, actor: authorityOf(making), depth: making.depth + 1 };
  const ofAuthority = world.messages.filter(({ fields }) => fields.some(({ name }) => name === 'authority'));
  return Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, () => {
    const desc = random.chance(0.85) ? random.pick(ofAuthority) : random.pick(world.messages);
    return anyBytes(world, `/${desc.typeName}`, making.encode(inside, desc));
  });
}

/** Messages of an account that may have granted them. */
function executed(making: Making): readonly Value[] {
  const { world, actor, depth } = making;
  const { random } = world;
  if (depth > 3) return [];
  const grants = world.standing.grants.filter(({ grantee }) => grantee.bech32 === actor.bech32);
  return Array.from({ length: random.pick([1, 1, 1, 2]) }, () => {
    const grant = grants.length > 0 && random.chance(0.8) ? random.pick(grants) : undefined;
    const desc = grant && random.chance(0.9) ? world.types.getMessage(grant.url.slice(1)) : random.pick(world.messages);
    const type = desc ?? random.pick(world.messages);
    const inside = {
      ...making,
      actor: grant?.granter ?? (random.chance(0.5) ? actor : random.pick(world.actors)),
      depth: depth + 1,
    };
    return anyBytes(world, `/${type.typeName}`, making.encode(inside, type));
  });
}

const hexOf = (address: Uint8Array): string => `0x${Buffer.from(address).toString('hex')}`;
/** Message types that are useful in a grant. */
const GRANTED = /MsgExec$|MsgSend$|MsgDelegate$|MsgVote$|MsgSubmitProposal$|MsgGrant|MsgUndelegate$|MsgWithdraw/;
const anyUrl: Particular = ({ world: { random, messages } }) => {
  const chosen = random.chance(0.6) ? messages.filter(({ typeName }) => GRANTED.test(typeName)) : messages;
  return [`/${random.pick(chosen).typeName}`];
};
const token = ({ world }: Making): readonly Value[] => [
  world.random.chance(0.5)
    ? '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    : `0x${Buffer.from(world.random.bytes(20)).toString('hex')}`,
];

const FIELDS: Readonly<Record<string, Particular>> = {
  'MsgCreateValidator.pubkey': ({ world }) => {
    const key = write([bytes(1, world.random.pick(world.consensusKeys))]);
    if (world.random.chance(0.95)) return [anyBytes(world, '/cosmos.crypto.ed25519.PubKey', key)];
    const { publicKey } = world.random.pick(world.actors);
    return [anyBytes(world, publicKey.typeUrl, publicKey.value)];
  },
  'MsgCreateValidator.min_self_delegation': ({ world }) => [String(world.random.between(1, 1000))],
  'MsgCreateValidator.delegator_address': sometimes(0.2, ({ actor }) => [actor.bech32]),
  'MsgCreateValidator.validator_address': ({ actor }) => [actor.operator],
  'MsgCreateValidator.value': native,
  'CommissionRates.rate': () => ['100000000000000000'],
  'CommissionRates.max_rate': () => ['500000000000000000'],
  'CommissionRates.max_change_rate': () => ['20000000000000000'],
  'Description.moniker': word,
  'Description.identity': word,
  'Description.website': word,
  'Description.security_contact': word,
  'Description.details': word,
  'MsgEditValidator.commission_rate': sometimes(0.3, () => ['110000000000000000']),
  'MsgEditValidator.min_self_delegation': sometimes(0.3, ({ world }) => [String(world.random.between(1, 2000))]),
  'MsgEditValidator.validator_address': ({ actor }) => [actor.operator],
  'MsgDelegate.amount': native,
  'MsgUndelegate.amount': someStake,
  'MsgUndelegate.validator_address': delegated,
  'MsgBeginRedelegate.amount': someStake,
  'MsgBeginRedelegate.validator_src_address': delegated,
  'MsgWithdrawDelegatorReward.validator_address': delegated,
  'MsgCancelUnbondingDelegation.amount': (making) => {
    const { amount = 0n } = unbonding(making) ?? {};
    if (amount === 0n || making.world.random.chance(0.2)) return native(making);
    const part = making.world.random.pick([amount, amount / 2n, amount - 1n, amount + 1n]);
    return [write([text(1, 'atest'), text(2, String(part))])];
  },
  'MsgCancelUnbondingDelegation.validator_address': (making) => [
    unbonding(making)?.operator ?? values.operator(making.world),
  ],
  'MsgCancelUnbondingDelegation.creation_height': (making) => [
    unbonding(making)?.height ?? making.world.height - BigInt(making.world.random.below(6)),
  ],
  'MsgUnjail.validator_addr': ({ actor }) => [actor.operator],
  'MsgWithdrawValidatorCommission.validator_address': ({ actor }) => [actor.operator],
  'MsgDepositValidatorRewardsPool.amount': ({ world }) => [...values.coins(world)],
  proposal_id: proposal,
  'MsgVote.proposal_id': voted,
  'MsgVoteWeighted.proposal_id': voted,
  'MsgCancelProposal.proposal_id': (making) => [
    making.world.standing.proposals.find(({ proposer }) => proposer === making.actor.bech32)?.id ??
      proposal(making)[0] ??
      1n,
  ],
  'v1.MsgVote.option': ({ world }) => [world.random.pick([1, 1, 1, 2, 3, 4])],
  'v1beta1.MsgVote.option': ({ world }) => [world.random.pick([1, 1, 1, 2, 3, 4])],
  'v1.MsgVoteWeighted.options': weights(values.decimalText),
  'v1beta1.MsgVoteWeighted.options': weights(String),
  'v1.MsgSubmitProposal.messages': proposed,
  'v1.MsgSubmitProposal.initial_deposit': ({ world }) => [
    write([
      text(1, 'atest'),
      text(2, String(world.random.pick([10_000_000, 10_000_000, 50_000_000, 50_000_000, 1, 999_999, 0]))),
    ]),
  ],
  'v1.MsgSubmitProposal.expedited': ({ world }) => [world.random.chance(0.25)],
  'v1beta1.MsgSubmitProposal.initial_deposit': ({ world }) => [
    write([text(1, 'atest'), text(2, String(world.random.pick([1, 10_000_000])))]),
  ],
  'v1.MsgDeposit.amount': ({ world }) => [
    write([text(1, 'atest'), text(2, String(world.random.pick([1, 10_000_000, 50_000_000])))]),
  ],
  'v1beta1.MsgDeposit.amount': () => [write([text(1, 'atest'), text(2, '10000000')])],
  'MsgExecLegacyContent.content': (making) => [anyAccepted(making, 'cosmos.gov.v1beta1.Content')],
  'MsgExec.msgs': executed,
  'MsgExec.grantee': ({ actor }) => [actor.bech32],
  'GenericAuthorization.msg': anyUrl,
  'MsgRevoke.msg_type_url': (making) => [
    making.world.standing.grants.findLast(({ granter }) => granter.bech32 === making.actor.bech32)?.url ??
      anyUrl(making)[0] ??
      '',
  ],
  'MsgRevoke.grantee': (making) => [
    making.world.standing.grants.findLast(({ granter }) => granter.bech32 === making.actor.bech32)?.grantee.bech32 ??
      values.address(making.world),
  ],
  'Grant.expiration': sometimes(0.7, ({ world }) => [values.timestamp(world)]),
  'SendAuthorization.allow_list': sometimes(0.2, ({ world }) => [world.random.pick(world.actors).bech32]),
  'Allocation.source_port': ({ world }) => [world.random.pick(['transfer', 'transfer', 'transfer', 'x'])],
  'Allocation.source_channel': ({ world }) => [world.random.pick(['channel-0', 'channel-1', 'channel', ''])],
  'Allocation.spend_limit': ({ world }) => [...values.coins(world)],
  'Allocation.allow_list': sometimes(0.2, ({ world }) => [world.random.pick(world.actors).bech32]),
  'Allocation.allowed_packet_data': sometimes(0.6, ({ world }) => [world.random.pick(['*', 'x', ''])]),
  'StakeAuthorization.max_tokens': sometimes(0.6, native),
  'StakeAuthorization.authorization_type': ({ world }) => [world.random.pick([1, 2, 3, 4])],
  'BasicAllowance.expiration': sometimes(0.5, ({ world }) => [values.timestamp(world)]),
  'BasicAllowance.spend_limit': sometimes(0.6, ({ world }) => [...values.coins(world)]),
  'AllowedMsgAllowance.allowed_messages': (making) => [...anyUrl(making), '/cosmos.bank.v1beta1.MsgSend'],
  'AllowedMsgAllowance.allowance': (making) =>
    making.depth > 3 ? [] : [anyNamed(deeper(making), 'cosmos.feegrant.v1beta1.BasicAllowance')],
  'MsgRevokeAllowance.grantee': (making) => [
    making.world.standing.allowances.findLast(({ granter }) => granter.bech32 === making.actor.bech32)?.grantee
      .bech32 ?? values.address(making.world),
  ],
  'MsgCreateVestingAccount.to_address': ({ world }) => [fresh(world)],
  'MsgCreatePermanentLockedAccount.to_address': ({ world }) => [fresh(world)],
  'MsgCreatePeriodicVestingAccount.to_address': ({ world }) => [fresh(world)],
  'MsgCreateVestingAccount.end_time': ({ world }) => [
    world.time / 1_000_000_000n + BigInt(world.random.between(-2, 60)),
  ],
  'MsgCreatePeriodicVestingAccount.start_time': ({ world }) => [
    world.time / 1_000_000_000n + BigInt(world.random.between(-20, 20)),
  ],
  'Period.length': ({ world }) => [BigInt(world.random.between(1, 30))],
  'Plan.height': ({ world }) => [world.height + 1000n + BigInt(world.random.below(50))],
  'Plan.name': ({ world }) => [world.random.pick(['v2', 'next', 'other'])],
  'Plan.time': () => [],
  'Plan.upgraded_client_state': () => [],
  contract_address: token,
  'MsgConvertERC20.sender': ({ actor }) => [hexOf(actor.address)],
  'MsgConvertERC20.receiver': ({ world }) => [world.random.pick(world.actors).bech32],
  'MsgConvertCoin.receiver': ({ world }) => [hexOf(world.random.pick(world.actors).address)],
  'MsgRegisterERC20.erc20addresses': token,
  'MsgToggleConversion.token': (making) => [making.world.random.chance(0.5) ? 'atest' : String(token(making)[0])],
  'MsgSubmitProposal.title': () => ['A title'],
  'MsgSubmitProposal.summary': () => ['A summary'],
  'MsgSubmitProposal.metadata': () => [''],
  title: () => ['A title'],
  'TextProposal.description': () => ['A text'],
  'ParameterChangeProposal.description': () => ['A text'],
  'CommunityPoolSpendProposal.description': () => ['A text'],
  'SoftwareUpgradeProposal.description': () => ['A text'],
  'CancelSoftwareUpgradeProposal.description': () => ['A text'],
  'MsgChannelOpenInit.port_id': () => ['transfer'],
  port_id: () => ['transfer'],
  'Channel.state': () => [1],
  'Channel.ordering': ({ world }) => [world.random.pick([1, 1, 2])],
  'Channel.connection_hops': ({ world }) => [
    world.random.pick([
      'connection-0',
      'connection-localhost',
      ...world.ibcIds.filter((id) => id.startsWith('connection')),
    ]),
  ],
  'Channel.version': ({ world }) => [world.random.pick(['ics20-1', 'ics20-1', ''])],
  'channel.v1.Counterparty.port_id': () => ['transfer'],
  'channel.v1.Counterparty.channel_id': () => [],
  'connection.v1.Counterparty.client_id': () => ['07-tendermint-0'],
  'connection.v1.Counterparty.connection_id': () => [],
  'MsgConnectionOpenInit.version': sometimes(0.5, () => [
    write([text(1, '1'), text(2, 'ORDER_ORDERED'), text(2, 'ORDER_UNORDERED')]),
  ]),
  'MsgCreateClient.client_state': (making) => [anyNamed(deeper(making), 'ibc.lightclients.tendermint.v1.ClientState')],
  'MsgCreateClient.consensus_state': (making) => [
    anyNamed(deeper(making), 'ibc.lightclients.tendermint.v1.ConsensusState'),
  ],
  'ClientState.chain_id': () => ['counter-1'],
  'ClientState.trust_level': () => [write([number(1, 1), number(2, 3)])],
  'ClientState.trusting_period': () => [write([number(1, 1_209_600)])],
  'ClientState.unbonding_period': () => [write([number(1, 1_814_400)])],
  'ClientState.max_clock_drift': () => [write([number(1, 40)])],
  'ClientState.frozen_height': () => [new Uint8Array()],
  'ClientState.latest_height': () => [write([number(1, 1), number(2, 5)])],
  'ClientState.proof_specs': () => [new Uint8Array()],
  'ClientState.upgrade_path': () => ['upgrade', 'upgradedIBCState'],
  'ConsensusState.next_validators_hash': ({ world }) => [world.random.bytes(32)],
  'ConsensusState.timestamp': ({ world }) => [write([number(1, world.time / 1_000_000_000n - 5n)])],
  key_prefix: () => ['ibc'],
  'MsgMultiSend.inputs': ({ world, actor }) => [write([text(1, actor.bech32), bytes(2, multi(world))])],
  'MsgMultiSend.outputs': ({ world }) => [write([bytes(1, values.address(world)), bytes(2, multi(world))])],
  'MsgTransfer.source_port': () => ['transfer'],
  'MsgTransfer.encoding': sometimes(0.1, word),
  'MsgTransfer.receiver': ({ world }) => [world.random.pick(world.actors).bech32],
  'MsgTransfer.source_channel': ({ world }) => [world.random.pick(['channel-0', 'channel-1', ...world.ibcIds])],
  client_id: ({ world: { random, ibcIds } }) => [
    random.pick(['07-tendermint-0', '09-localhost', ...ibcIds.filter((id) => id.startsWith('07-'))]),
  ],
};

/** A message with one amount for both sides, mostly. */
function multi({ random, height }: World): Uint8Array {
  return write([text(1, 'atest'), text(2, String(random.chance(0.9) ? 1000n + height : 7n))]);
}
