/** Aliases for older clients: `sdk.upgrade.v1beta1`, `ethermint.evm.v1` and `ethermint.feemarket.v1`. */

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['sdk.upgrade.v1beta1.Query', 'cosmos.upgrade.v1beta1.Query'],
  ['ethermint.evm.v1.Query', 'cosmos.evm.vm.v1.Query'],
  ['ethermint.feemarket.v1.Query', 'cosmos.evm.feemarket.v1.Query'],
]);

/** Methods whose alias is in another service than the rest. */
const METHOD_ALIASES: ReadonlyMap<string, string> = new Map([
  // Ethermint's base fee is a whole number of wei, as in the EVM module; the fee market of cosmos/evm has a decimal.
  ['/ethermint.feemarket.v1.Query/BaseFee', '/cosmos.evm.vm.v1.Query/BaseFee'],
]);

/** Resolves an alias of a method path; returns other paths unchanged. */
export function aliasedPath(path: string): string {
  const exact = METHOD_ALIASES.get(path);
  if (exact !== undefined) return exact;
  const slash = path.lastIndexOf('/');
  const service = ALIASES.get(path.slice(1, slash));
  return service === undefined ? path : `/${service}${path.slice(slash)}`;
}
