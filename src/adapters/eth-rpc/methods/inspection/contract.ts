/** `chronicle_contract`: the contract at an address whose interface the node knows. */
import { checksumAddress } from '../../../../core/keys/address.js';
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { method, NULL, ok, type Method } from '../../method.js';
import { address } from '../../params/hex.js';
import * as schema from '../../schema.js';

const MATCH = schema.oneOfTexts('exact_match', 'match');

const CONTRACT: schema.Schema = {
  title: 'KnownContract',
  ...schema.objectOf({
    address: schema.ADDRESS,
    name: schema.TEXT,
    origin: schema.oneOfTexts('verified', 'artifacts'),
    match: MATCH,
    creationMatch: schema.orNull(MATCH),
    verifiedAt: schema.orNull(schema.TEXT),
    contractIdentifier: schema.orNull(schema.TEXT),
    compilerVersion: schema.orNull(schema.TEXT),
    abi: schema.listOf({ type: 'object' }),
    sources: schema.mapOf(schema.TEXT, schema.TEXT),
    storageLayout: schema.orNull({ type: 'object' }),
  }),
};

/** The method over a node. */
export function contractMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_contract',
    'The contract at an address with its ABI and storage layout: verified, or compiled beside the node',
    [address],
    schema.orNull(CONTRACT),
    async ([account], { crypto }) => {
      const found = await inspection.contract(account);
      if (found === undefined) return NULL;
      const { origin, name, runtime, abi, storageLayout } = found;
      // Files beside the node tell neither paths nor sources.
      const verified = origin === 'verified' ? found : undefined;
      return ok(
        JSON.stringify({
          address: checksumAddress(crypto, account),
          name,
          origin,
          match: runtime,
          creationMatch: verified?.creation ?? null,
          verifiedAt: verified?.verifiedAt ?? null,
          contractIdentifier: verified?.contractIdentifier ?? null,
          compilerVersion: verified?.compilerVersion ?? null,
          abi,
          sources: verified?.sources ?? {},
          storageLayout: storageLayout ?? null,
        }),
      );
    },
  );
}
