/** Messages in an `Any`: of the interface that its field accepts, of another interface, or of none. */
import type { DescMessage } from '@bufbuild/protobuf';
import { deeper, type Making } from './making.js';
import { bytes, text, type WireField, write, writeOddly } from './wire.js';
import { isDue, type World } from './world.js';

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'cosmos.crypto.PubKey': ['cosmos.crypto.ed25519.PubKey'],
  'cosmos.authz.v1beta1.Authorization': [
    'cosmos.authz.v1beta1.GenericAuthorization',
    'cosmos.bank.v1beta1.SendAuthorization',
    'cosmos.staking.v1beta1.StakeAuthorization',
    'ibc.applications.transfer.v1.TransferAuthorization',
  ],
  'cosmos.feegrant.v1beta1.FeeAllowanceI': [
    'cosmos.feegrant.v1beta1.BasicAllowance',
    'cosmos.feegrant.v1beta1.PeriodicAllowance',
    'cosmos.feegrant.v1beta1.AllowedMsgAllowance',
  ],
  'cosmos.gov.v1beta1.Content': [
    'cosmos.gov.v1beta1.TextProposal',
    'cosmos.params.v1beta1.ParameterChangeProposal',
    'cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
    'cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
    'cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
  ],
  'cosmos.evidence.v1beta1.Evidence': ['cosmos.evidence.v1beta1.Equivocation'],
};

const ELSEWHERE = [
  '/cosmos.group.v1.MsgCreateGroup',
  '/cosmos.nft.v1beta1.MsgSend',
  '/cosmos.crisis.v1beta1.MsgVerifyInvariant',
  '/cosmos.tx.v1beta1.Tx',
  '/ethermint.evm.v1.MsgEthereumTx',
  '/cosmos.circuit.v1.MsgTripCircuitBreaker',
  '/cosmos.auth.v1beta1.BaseAccount',
  '/',
  '',
  '//',
  'cosmos.bank.v1beta1.MsgSend',
  'https://type/cosmos.bank.v1beta1.MsgSend',
  '/cosmos.bank.v1beta1.MsgSend/',
  '/cosmos.bank.v1beta1.MsgSendResponse',
];

export function anyBytes(world: World, url: string, value: Uint8Array): Uint8Array {
  const fields: readonly WireField[] = [text(1, url), bytes(2, value)];
  return isDue(world) && world.random.chance(0.2) ? writeOddly(world.random, fields) : write(fields);
}

/** An `Any` of a type by its name. */
export function anyNamed(making: Making, name: string): Uint8Array {
  const desc = making.world.types.getMessage(name);
  return anyBytes(making.world, `/${name}`, desc === undefined ? new Uint8Array() : making.encode(making, desc));
}

export function anyAccepted(making: Making, accepted: string): Uint8Array {
  const { world } = making;
  const { random } = world;
  if (isDue(world)) {
    const url = random.chance(0.4) ? random.pick(ELSEWHERE) : `/${anyType(world).typeName}`;
    return random.chance(0.1) ? new Uint8Array() : anyBytes(world, url, random.bytes(random.pick([0, 0, 1, 5])));
  }
  const names = ACCEPTED[accepted];
  return names === undefined ? new Uint8Array() : anyNamed(deeper(making), random.pick(names));
}

function anyType(world: World): DescMessage {
  return world.random.pick([...world.types].flatMap((type) => (type.kind === 'message' ? [type] : [])));
}
