import { decodeBech32, parseAddress } from '../sdk/address.js';
import { SdkError, sdkErrors } from '../sdk/sdk-error.js';

/** Checks an address in a query; fails with the texts of the Go node's address codec. */
export function requireQueriedAddress(prefix: string, value: string): Uint8Array {
  const address = parseAddress(prefix, value);
  if (address !== undefined) return address;
  const other = decodeBech32(value)?.prefix;
  if (other === undefined || other === prefix)
    throw new SdkError(sdkErrors.unknownAddress, `unknown address format: ${value}`);
  throw new SdkError(sdkErrors.logic, `hrp does not match bech32 prefix: expected '${prefix}' got '${other}'`);
}
