/** Names that other generations of clients use for the same methods (design sections 8, 11; application-modules.md 2.9). */

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['sdk.upgrade.v1beta1.Query', 'cosmos.upgrade.v1beta1.Query'],
  ['ethermint.evm.v1.Query', 'cosmos.evm.vm.v1.Query'],
  ['ethermint.feemarket.v1.Query', 'cosmos.evm.feemarket.v1.Query'],
]);

/** Single methods that answer from another service than the rest of theirs. */
const METHOD_ALIASES: ReadonlyMap<string, string> = new Map([
  // Ethermint's base fee is a whole number of wei: what the EVM module answers, where the fee market has a decimal.
  ['/ethermint.feemarket.v1.Query/BaseFee', '/cosmos.evm.vm.v1.Query/BaseFee'],
]);

/** The path whose handler answers this one: itself, unless its service or the method is an alias. */
export function aliasedPath(path: string): string {
  const exact = METHOD_ALIASES.get(path);
  if (exact !== undefined) return exact;
  const slash = path.lastIndexOf('/');
  const service = ALIASES.get(path.slice(1, slash));
  return service === undefined ? path : `/${service}${path.slice(slash)}`;
}
