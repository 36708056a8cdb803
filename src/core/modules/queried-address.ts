import { addressRefusal, parseAddress } from '../sdk/codec/address.js';

/** Decodes an address of a query or signer; throws with the texts of the Go node's address codec. */
export function requireQueriedAddress(prefix: string, value: string): Uint8Array {
  const address = parseAddress(prefix, value);
  if (address !== undefined) return address;
  throw addressRefusal(prefix, value);
}
