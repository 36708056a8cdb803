/** `chronicle_contract`: name and ABI of the contract at an address; `chronicle_supplyContract` sets them. */
import { isIdentifier } from '../../../../core/abi/identifier.js';
import { asObject } from '../../../../core/text/json-object.js';
import type { SuppliedContract } from '../../../../core/verification/api.js';
import { checksumAddress } from '../../../../core/keys/address.js';
import type { InspectionApi } from '../../../../core/inspection/api.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, NULL, ok, type Method } from '../../method.js';
import { address } from '../../params/hex.js';
import { bad, good, optional, type Param, required } from '../../params/param.js';
import * as schema from '../../schema.js';

const MATCH = schema.oneOfTexts('exact_match', 'match');

const CONTRACT: schema.Schema = {
  title: 'KnownContract',
  ...schema.objectOf({
    address: schema.ADDRESS,
    name: schema.TEXT,
    origin: schema.oneOfTexts('verified', 'artifacts', 'supplied'),
    match: schema.orNull(MATCH),
    creationMatch: schema.orNull(MATCH),
    verifiedAt: schema.orNull(schema.TEXT),
    contractIdentifier: schema.orNull(schema.TEXT),
    compilerVersion: schema.orNull(schema.TEXT),
    abi: schema.listOf({ type: 'object' }),
    sources: schema.mapOf(schema.TEXT, schema.TEXT),
    storageLayout: schema.orNull({ type: 'object' }),
  }),
};

/** Creates the method `chronicle_contract`. */
export function contractMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_contract',
    'The contract at an address with its ABI: verified, compiled beside the node, or supplied',
    [address],
    schema.orNull(CONTRACT),
    async ([account], { crypto }) => {
      const found = await inspection.contract(account);
      if (found === undefined) return NULL;
      const { origin, name, runtime, abi, storageLayout } = found;
      // For a locally compiled contract, paths and sources are not shown.
      const verified = origin === 'verified' ? found : undefined;
      return ok(
        JSON.stringify({
          address: checksumAddress(crypto, account),
          name,
          origin,
          match: runtime ?? null,
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

const NAME: schema.Schema = { type: 'string', pattern: '^[A-Za-z0-9_$]{1,100}$' };

const SUPPLIED_CONTRACT = {
  title: 'SuppliedContract',
  ...schema.objectOf(
    { name: NAME, abi: schema.listOf({ type: 'object' }), storageLayout: schema.orNull({ type: 'object' }) },
    ['name', 'abi'],
  ),
};

/** Name, ABI and storage layout of a contract. */
const suppliedContract: Param<SuppliedContract> = required('contract', SUPPLIED_CONTRACT, (value) => {
  const { name, abi, storageLayout } = asObject(value) ?? {};
  if (!isIdentifier(name)) return bad('name is no identifier');
  if (!Array.isArray(abi)) return bad('abi is no list');
  return good({ name, abi, storageLayout: asObject(storageLayout) });
});

/** Creates the dev method `chronicle_supplyContract`. */
export function supplyContractMethod(inspection: InspectionApi): Method {
  return method(
    'chronicle_supplyContract',
    'Keeps name, ABI and storage layout of a contract, or forgets them (dev mode)',
    [address, optional(suppliedContract)],
    schema.BOOLEAN,
    async ([account, contract]) => {
      const kept = await inspection.supplyContract(account, contract);
      return kept.ok ? ok('true') : failed(rpcErrorOf(kept.error));
    },
  );
}
