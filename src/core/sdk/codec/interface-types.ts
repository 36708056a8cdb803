/**
 * Types that a field of type `Any` accepts: implementations of the field's interface (cosmos-sdk v0.53
 * `codec/types/interface_registry.go` UnpackAny; registrations in each module's `types/codec.go`).
 */
import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { accepts_interface, implements_interface } from '../../proto/cosmos_proto/cosmos_pb.js';

const MESSAGE = 'cosmos.base.v1beta1.Msg';
const PUBLIC_KEY = 'cosmos.crypto.PubKey';
const OPTION = 'cosmos.tx.v1beta1.TxExtensionOptionI';
const EVIDENCE = 'cosmos.evidence.v1beta1.Evidence';
const CLIENT = 'ibc.core.client.v1.ClientState';
const CONSENSUS = 'ibc.core.client.v1.ConsensusState';
const CLIENT_MESSAGE = 'ibc.core.client.v1.ClientMessage';

/** Interfaces of fields without the option `accepts_interface`, by full field name. */
const ACCEPTED: ReadonlyMap<string, string> = new Map([
  ['cosmos.tx.v1beta1.TxBody.messages', MESSAGE],
  ['cosmos.tx.v1beta1.TxBody.extension_options', OPTION],
  ['cosmos.tx.v1beta1.TxBody.non_critical_extension_options', OPTION],
  ['cosmos.tx.v1beta1.SignerInfo.public_key', PUBLIC_KEY],
  ['cosmos.crypto.multisig.LegacyAminoPubKey.public_keys', PUBLIC_KEY],
  ['cosmos.authz.v1beta1.MsgExec.msgs', MESSAGE],
  ['cosmos.gov.v1.MsgSubmitProposal.messages', MESSAGE],
  ['ibc.core.client.v1.MsgCreateClient.client_state', CLIENT],
  ['ibc.core.client.v1.MsgCreateClient.consensus_state', CONSENSUS],
  ['ibc.core.client.v1.MsgUpdateClient.client_message', CLIENT_MESSAGE],
  ['ibc.core.client.v1.MsgSubmitMisbehaviour.misbehaviour', CLIENT_MESSAGE],
  ['ibc.core.client.v1.MsgUpgradeClient.client_state', CLIENT],
  ['ibc.core.client.v1.MsgUpgradeClient.consensus_state', CONSENSUS],
  ['ibc.core.client.v1.MsgIBCSoftwareUpgrade.upgraded_client_state', CLIENT],
]);

/** Interfaces of types without the option `implements_interface`. */
const IMPLEMENTED: ReadonlyMap<string, string> = new Map([
  ['cosmos.crypto.secp256k1.PubKey', PUBLIC_KEY],
  ['cosmos.crypto.ed25519.PubKey', PUBLIC_KEY],
  ['cosmos.crypto.multisig.LegacyAminoPubKey', PUBLIC_KEY],
  ['cosmos.evm.crypto.v1.ethsecp256k1.PubKey', PUBLIC_KEY],
  ['cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx', OPTION],
  ['cosmos.evm.vm.v1.ExtensionOptionsEthereumTx', OPTION],
  ['ethermint.types.v1.ExtensionOptionsWeb3Tx', OPTION],
  ['cosmos.evidence.v1beta1.Equivocation', EVIDENCE],
  ['ibc.lightclients.tendermint.v1.ClientState', CLIENT],
  ['ibc.lightclients.tendermint.v1.ConsensusState', CONSENSUS],
  ['ibc.lightclients.tendermint.v1.Header', CLIENT_MESSAGE],
  ['ibc.lightclients.tendermint.v1.Misbehaviour', CLIENT_MESSAGE],
]);

/** Names of messages in packages of the SDK and of its users; other types have no such names. */
const MESSAGE_NAME = /^Msg(?!.*Response$)/;

/** Go types of the interfaces, for error texts. */
const GO_TYPES: ReadonlyMap<string, string> = new Map([
  [MESSAGE, '*types.Msg'],
  [PUBLIC_KEY, '*types.PubKey'],
  [OPTION, '*tx.TxExtensionOptionI'],
  [EVIDENCE, '*exported.Evidence'],
  [CLIENT, '*exported.ClientState'],
  [CONSENSUS, '*exported.ConsensusState'],
  [CLIENT_MESSAGE, '*exported.ClientMessage'],
  ['cosmos.authz.v1beta1.Authorization', '*authz.Authorization'],
  ['cosmos.feegrant.v1beta1.FeeAllowanceI', '*feegrant.FeeAllowanceI'],
  ['cosmos.gov.v1beta1.Content', '*v1beta1.Content'],
]);

function acceptedBy(field: DescField): string | undefined {
  const known = ACCEPTED.get(`${field.parent.typeName}.${field.name}`);
  return known ?? (hasOption(field, accepts_interface) ? getOption(field, accepts_interface) : undefined);
}

function implementedBy(type: DescMessage, isHandled: boolean): readonly string[] {
  if (isHandled || MESSAGE_NAME.test(type.name)) return [MESSAGE];
  const known = IMPLEMENTED.get(type.typeName);
  if (known !== undefined) return [known];
  return hasOption(type, implements_interface) ? getOption(type, implements_interface) : [];
}

/** True for a transaction option that evmd knows and always rejects, without reading its content. */
export const isRefusedOption = (field: DescField, typeUrl: string): boolean =>
  acceptedBy(field) === OPTION && typeUrl === '/cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx';

/**
 * Go type of the interface that the field accepts and `type` does not implement; undefined when it does. `isHandled`:
 * a module handles `type`, so it is a message regardless of its name.
 */
export function missedInterface(field: DescField, type: DescMessage, isHandled: boolean): string | undefined {
  const accepted = acceptedBy(field);
  if (accepted === undefined || implementedBy(type, isHandled).includes(accepted)) return undefined;
  return GO_TYPES.get(accepted);
}
