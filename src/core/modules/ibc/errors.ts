/** Registered errors of IBC (ibc-go v10 `types/errors.go` of each part of `modules/core`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const error = (codespace: string, code: number, text: string): RegisteredError => ({ codespace, code, text });

export const clientErrors = {
  invalidClient: error('client', 3, 'light client is invalid'),
  notFound: error('client', 4, 'light client not found'),
  noConsensusState: error('client', 7, 'consensus state not found'),
  invalidConsensus: error('client', 8, 'invalid consensus state'),
  invalidType: error('client', 10, 'invalid client type'),
  invalidHeader: error('client', 12, 'invalid client header'),
  invalidMisbehaviour: error('client', 13, 'invalid light client misbehaviour'),
  updateFailed: error('client', 23, 'unable to update light client'),
  invalidRecovery: error('client', 24, 'invalid recovery client'),
  invalidUpgrade: error('client', 25, 'invalid client upgrade'),
  invalidHeight: error('client', 26, 'invalid height'),
  invalidSubstitute: error('client', 27, 'invalid client state substitute'),
  notActive: error('client', 29, 'client state is not active'),
  noMembership: error('client', 30, 'membership verification failed'),
  noAbsence: error('client', 31, 'non-membership verification failed'),
  noRoute: error('client', 32, 'light client module route not found'),
  invalidCounterparty: error('clientv2', 34, 'invalid counterparty'),
  noCounterparty: error('clientv2', 35, 'counterparty not found'),
} as const;

export const connectionErrors = {
  notFound: error('connection', 3, 'connection not found'),
  invalidState: error('connection', 6, 'invalid connection state'),
  invalidCounterparty: error('connection', 7, 'invalid counterparty connection'),
  invalidVersion: error('connection', 9, 'invalid connection version'),
  negotiationFailed: error('connection', 10, 'connection version negotiation failed'),
  invalidIdentifier: error('connection', 11, 'invalid connection identifier'),
} as const;

export const channelErrors = {
  notFound: error('channel', 3, 'channel not found'),
  invalidChannel: error('channel', 4, 'invalid channel'),
  invalidState: error('channel', 5, 'invalid channel state'),
  invalidOrdering: error('channel', 6, 'invalid channel ordering'),
  invalidCounterparty: error('channel', 7, 'invalid counterparty channel'),
  noSendSequence: error('channel', 10, 'sequence send not found'),
  noReceiveSequence: error('channel', 11, 'sequence receive not found'),
  noAcknowledgementSequence: error('channel', 12, 'sequence acknowledgement not found'),
  invalidPacket: error('channel', 13, 'invalid packet'),
  tooManyHops: error('channel', 15, 'too many connection hops'),
  invalidAcknowledgement: error('channel', 16, 'invalid acknowledgement'),
  acknowledgementExists: error('channel', 17, 'acknowledgement for packet already exists'),
  invalidIdentifier: error('channel', 18, 'invalid channel identifier'),
  packetReceived: error('channel', 19, 'packet already received'),
  outOfOrder: error('channel', 21, 'packet sequence is out of order'),
  redundant: error('channel', 22, 'packet messages are redundant'),
  timeoutNotReached: error('channel', 39, 'timeout not reached'),
  timeoutElapsed: error('channel', 40, 'timeout elapsed'),
} as const;

/** Errors of IBC v2 packets (`modules/core/04-channel/v2/types/errors.go`). */
export const channelErrorsV2 = {
  invalidPacket: error('channelv2', 2, 'invalid packet'),
  invalidPayload: error('channelv2', 3, 'invalid payload'),
  noSendSequence: error('channelv2', 4, 'sequence send not found'),
  invalidAcknowledgement: error('channelv2', 5, 'invalid acknowledgement'),
  invalidTimeout: error('channelv2', 8, 'invalid packet timeout'),
  timeoutElapsed: error('channelv2', 9, 'timeout elapsed'),
  timeoutNotReached: error('channelv2', 10, 'timeout not reached'),
  acknowledgementExists: error('channelv2', 11, 'acknowledgement for packet already exists'),
} as const;

export const portErrors = {
  invalidPort: error('port', 4, 'invalid port'),
  noRoute: error('port', 5, 'route not found'),
} as const;

/** Errors of CometBFT light clients (`modules/light-clients/07-tendermint/errors.go`). */
export const tendermintErrors = {
  invalidChainId: error('07-tendermint', 2, 'invalid chain-id'),
  invalidTrustingPeriod: error('07-tendermint', 3, 'invalid trusting period'),
  invalidUnbondingPeriod: error('07-tendermint', 4, 'invalid unbonding period'),
  invalidHeaderHeight: error('07-tendermint', 5, 'invalid header height'),
  invalidHeader: error('07-tendermint', 6, 'invalid header'),
  invalidMaxClockDrift: error('07-tendermint', 7, 'invalid max clock drift'),
  noProcessedTime: error('07-tendermint', 8, 'processed time not found'),
  noProcessedHeight: error('07-tendermint', 9, 'processed height not found'),
  delayNotPassed: error('07-tendermint', 10, 'packet-specified delay period has not been reached'),
  trustingPeriodExpired: error('07-tendermint', 11, 'time since latest trusted state has passed the trusting period'),
  invalidProofSpecs: error('07-tendermint', 13, 'invalid proof specs'),
  invalidValidators: error('07-tendermint', 14, 'invalid validator set'),
  invalidTrustLevel: error('07-tendermint', 15, 'invalid trust level'),
} as const;

/** Errors of proofs (`modules/core/23-commitment/types/errors.go`). */
export const commitmentErrors = {
  invalidProof: error('commitment', 2, 'invalid proof'),
  invalidPrefix: error('commitment', 3, 'invalid prefix'),
  invalidMerkleProof: error('commitment', 4, 'invalid merkle proof'),
} as const;

/** Errors shared by all parts (`modules/core/errors/errors.go`). */
export const ibcErrors = {
  invalidSequence: error('ibc', 1, 'invalid sequence'),
  unauthorized: error('ibc', 2, 'unauthorized'),
  insufficientFunds: error('ibc', 3, 'insufficient funds'),
  invalidAddress: error('ibc', 5, 'invalid address'),
  invalidCoins: error('ibc', 6, 'invalid coins'),
  unknownRequest: error('ibc', 4, 'unknown request'),
  invalidRequest: error('ibc', 8, 'invalid request'),
  invalidHeight: error('ibc', 9, 'invalid height'),
  invalidVersion: error('ibc', 10, 'invalid version'),
  invalidType: error('ibc', 12, 'invalid type'),
  unpackAny: error('ibc', 14, 'failed unpacking protobuf message from Any'),
  notFound: error('ibc', 16, 'not found'),
} as const;

/** Error for an invalid identifier (`modules/core/24-host/errors.go`). */
export const invalidIdentifier = error('host', 2, 'invalid identifier');

/** Error for an invalid proof path (`modules/core/24-host/errors.go`). */
export const invalidPath = error('host', 3, 'invalid path');
