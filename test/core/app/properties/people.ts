/** Accounts of random histories and their addresses. */
import { type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { encodeAddress, moduleAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { account } from '../dev-chain.js';
import { crypto } from '../support.js';
import { encode } from '../../../support/encode.js';

/** Number of accounts with coins at genesis. */
export const PEOPLE = 6;

/** Address of account `index`; accounts from `PEOPLE` on have no coins at genesis. */
export const person = (index: number): string => account(index).address;
export const bytesOf = (address: string): Uint8Array => {
  const bytes = parseAddress('chron', address);
  if (bytes === undefined) throw new Error(address);
  return bytes;
};
/** Address of the validator that account `index` operates. */
export const operator = (index: number): string => encodeAddress('chronvaloper', bytesOf(person(index)));
export const moduleText = (name: string): string => encodeAddress('chron', moduleAddress(crypto, name));
export const achr = (amount: bigint) => ({ denom: 'achr', amount: amount.toString() });
export const consensusKey = (index: number): Uint8Array => new Uint8Array(32).fill(index + 1);
export const consensusAddress = (key: Uint8Array): Uint8Array => crypto.sha256(key).slice(0, 20);

export function any<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Any {
  return {
    $typeName: 'google.protobuf.Any',
    typeUrl: `/${schema.typeName}`,
    value: encode(schema, message),
  };
}
