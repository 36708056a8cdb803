/** Registered errors of IBC (ibc-go v10 `types/errors.go` of each part of `modules/core`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const error = (codespace: string, code: number, text: string): RegisteredError => ({ codespace, code, text });

export const clientErrors = {
  invalidClient: error('client', 3, 'light client is invalid'),
  notFound: error('client', 4, 'light client not found'),
  invalidConsensus: error('client', 8, 'invalid consensus state'),
  invalidType: error('client', 10, 'invalid client type'),
  notActive: error('client', 29, 'client state is not active'),
  noCounterparty: error('clientv2', 35, 'counterparty not found'),
} as const;

export const connectionErrors = {
  notFound: error('connection', 3, 'connection not found'),
  invalidCounterparty: error('connection', 7, 'invalid counterparty connection'),
  invalidVersion: error('connection', 9, 'invalid connection version'),
} as const;

export const channelErrors = {
  notFound: error('channel', 3, 'channel not found'),
  invalidChannel: error('channel', 4, 'invalid channel'),
  invalidState: error('channel', 5, 'invalid channel state'),
  invalidOrdering: error('channel', 6, 'invalid channel ordering'),
  invalidCounterparty: error('channel', 7, 'invalid counterparty channel'),
  tooManyHops: error('channel', 15, 'too many connection hops'),
  invalidTimeout: error('channelv2', 8, 'invalid packet timeout'),
} as const;

export const portErrors = {
  invalidPort: error('port', 4, 'invalid port'),
  noRoute: error('port', 5, 'route not found'),
} as const;

/** Errors of the light client of CometBFT (`modules/light-clients/07-tendermint/errors.go`). */
export const tendermintErrors = {
  invalidChainId: error('07-tendermint', 2, 'invalid chain-id'),
  invalidTrustingPeriod: error('07-tendermint', 3, 'invalid trusting period'),
  invalidUnbondingPeriod: error('07-tendermint', 4, 'invalid unbonding period'),
  invalidHeaderHeight: error('07-tendermint', 5, 'invalid header height'),
  invalidMaxClockDrift: error('07-tendermint', 7, 'invalid max clock drift'),
  invalidProofSpecs: error('07-tendermint', 13, 'invalid proof specs'),
  invalidTrustLevel: error('07-tendermint', 15, 'invalid trust level'),
} as const;

/** Errors of all parts (`modules/core/errors/errors.go`). */
export const ibcErrors = {
  unauthorized: error('ibc', 2, 'unauthorized'),
  insufficientFunds: error('ibc', 3, 'insufficient funds'),
  invalidAddress: error('ibc', 5, 'invalid address'),
  invalidCoins: error('ibc', 6, 'invalid coins'),
  invalidType: error('ibc', 12, 'invalid type'),
  unpackAny: error('ibc', 14, 'failed unpacking protobuf message from Any'),
  notFound: error('ibc', 16, 'not found'),
} as const;

/** A malformed identifier (`modules/core/24-host/errors.go`). */
export const invalidIdentifier = error('host', 2, 'invalid identifier');
