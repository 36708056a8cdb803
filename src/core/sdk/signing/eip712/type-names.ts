/** A member of a typed data type. */
export interface TypedMember {
  readonly name: string;
  readonly type: string;
}

export type TypedMembers = Record<string, readonly TypedMember[]>;

/** Members from alternating types and names, as EIP-712 writes them. */
export function membersOf(...pairs: readonly string[]): readonly TypedMember[] {
  return pairs.map((pair) => {
    const [type = '', name = ''] = pair.split(' ');
    return { name, type };
  });
}

const DOMAIN_TYPE = membersOf(
  'string name',
  'string version',
  'uint256 chainId',
  'string verifyingContract',
  'string salt',
);

/** Types of every document: the domain and the fee (cosmos/evm v0.6 `ethereum/eip712/types.go`). */
const COMMON_TYPES: Readonly<TypedMembers> = {
  EIP712Domain: DOMAIN_TYPE,
  Coin: membersOf('string denom', 'string amount'),
};

/** Typed data document of a chain with primary type `Tx` (cosmos/evm v0.6 `ethereum/eip712/domain.go`). */
export function typedData(types: Readonly<TypedMembers>, message: object, evmChainId: bigint): object {
  return {
    types: { ...COMMON_TYPES, ...types },
    primaryType: 'Tx',
    domain: {
      name: 'Cosmos Web3',
      version: '1.0.0',
      chainId: evmChainId.toString(),
      verifyingContract: 'cosmos',
      salt: '0',
    },
    message,
  };
}

/**
 * Type name from the path of a value in a message, whose root is `_`: `_.foo_bar.baz` becomes `TypeFooBarBaz`
 * (cosmos/evm v0.6 `sanitizeTypedef` in `ethereum/eip712/types.go`).
 */
export function structNameOf(path: string): string {
  return path
    .split('.')
    .flatMap((part) => (part === '_' ? ['Type'] : part.split('_')))
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}
