/** Typed data (EIP-712) of transactions as evmosjs shows it to a wallet: `@tharsis/eip712`. */

interface Member {
  readonly name: string;
  readonly type: string;
}

/** Members that hold texts. */
export const texts = (...names: readonly string[]): readonly Member[] =>
  names.map((name) => ({ name, type: 'string' }));

/** A member that holds a list. */
export const list = (name: string, type: string): Member => ({ name, type: `${type}[]` });

/** Fields that differ from one transaction to another. */
export interface TypedTransaction {
  /** `MsgValue`, and the types that it names. */
  readonly types: Readonly<Record<string, readonly Member[]>>;
  /** The EIP-155 id. */
  readonly chainId: number;
  /** In the names of amino JSON. */
  readonly message: object;
}

/** The whole document. */
export function typedTransaction({ types, chainId, message }: TypedTransaction): object {
  return {
    types: {
      EIP712Domain: [
        ...texts('name', 'version'),
        { name: 'chainId', type: 'uint256' },
        ...texts('verifyingContract', 'salt'),
      ],
      Tx: [
        ...texts('account_number', 'chain_id'),
        { name: 'fee', type: 'Fee' },
        ...texts('memo'),
        list('msgs', 'Msg'),
        ...texts('sequence'),
      ],
      Fee: [...texts('feePayer'), list('amount', 'Coin'), ...texts('gas')],
      Coin: texts('denom', 'amount'),
      Msg: [...texts('type'), { name: 'value', type: 'MsgValue' }],
      ...types,
    },
    primaryType: 'Tx',
    domain: { name: 'Cosmos Web3', version: '1.0.0', chainId, verifyingContract: 'cosmos', salt: '0' },
    message,
  };
}
