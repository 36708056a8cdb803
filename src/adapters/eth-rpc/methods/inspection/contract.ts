/** `chronicle_contract`: the verified contract at an address. */
import { checksumAddress } from '../../../../core/keys/address.js';
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { method, NULL, ok, type Method } from '../../method.js';
import { address } from '../../params/hex.js';
import * as schema from '../../schema.js';

const MATCH = schema.oneOfTexts('exact_match', 'match');

const CONTRACT: schema.Schema = {
  title: 'VerifiedContract',
  ...schema.objectOf({
    address: schema.ADDRESS,
    name: schema.TEXT,
    match: MATCH,
    creationMatch: schema.orNull(MATCH),
    verifiedAt: schema.TEXT,
    contractIdentifier: schema.TEXT,
    compilerVersion: schema.TEXT,
    abi: schema.listOf({ type: 'object' }),
    sources: schema.mapOf(schema.TEXT, schema.TEXT),
  }),
};

/** The method over a node. */
export function contractMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_contract',
    'The verified contract at an address, with ABI and sources',
    [address],
    schema.orNull(CONTRACT),
    async ([account], { crypto }) => {
      const found = await inspection.contract(account);
      if (found === undefined) return NULL;
      const { name, runtime, creation, verifiedAt, contractIdentifier, compilerVersion, abi, sources } = found;
      return ok(
        JSON.stringify({
          address: checksumAddress(crypto, account),
          name,
          match: runtime,
          creationMatch: creation ?? null,
          verifiedAt,
          contractIdentifier,
          compilerVersion,
          abi,
          sources,
        }),
      );
    },
  );
}
