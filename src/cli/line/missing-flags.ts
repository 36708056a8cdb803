/**
 * Flags of the Go node's command line (cosmos/evm v0.6 `evmd`) that are missing here, with the reason that the error
 * shows. A name is a flag of every command, or a command with its flag; a command with `...` means all its missing
 * flags.
 */
export const MISSING_FLAGS: readonly (readonly [names: readonly string[], why: string])[] = [
  [['--aux', '--tip'], "the Go node's own chain has no tips"],
  [['--grpc-addr', '--grpc-insecure'], 'commands ask the consensus RPC'],
  [['--ledger', 'keys show --device'], 'keys are files'],
  [['keys show --qrcode'], 'the address is printed as text'],
  [['config view --output-format'], 'a file is shown as it is'],
  [
    ['export --for-zero-height', 'export --jail-allowed-addrs', 'export --modules-to-export'],
    'an export is whole, and continues at the next height',
  ],
  [
    [
      'genesis add-genesis-account --module-name',
      'genesis add-genesis-account --vesting-amount',
      'genesis add-genesis-account --vesting-start-time',
      'genesis add-genesis-account --vesting-end-time',
      'init --consensus-key-algo',
      'init --initial-height',
    ],
    'the genesis file can be edited',
  ],
  [['genesis gentx --amount'], 'the argument is the amount'],
  [
    ['query auth address-by-acc-num --id', 'query evidence evidence --evidence-hash'],
    'deprecated in favour of the argument',
  ],
  [['prune --app-db-backend'], 'there is one kind of database'],
  [['start ...'], 'options of this node have their own names; start --help lists them'],
  [['tx multisign-batch --multisig'], 'the argument names the account'],
  [['tx sign-batch --append'], 'one transaction a line is signed and printed'],
  [['tx staking create-validator --ip', 'tx staking create-validator --node-id'], 'there is no peer-to-peer network'],
];

/** The reason why a command lacks a flag (`--flag`) of the Go node; undefined for other flags. */
export function whyMissing(words: readonly string[], flag: string): string | undefined {
  const line = `${words.join(' ')} `;
  const isMeant = (name: string): boolean => {
    const at = name.lastIndexOf('--');
    return name.slice(at) === flag && line.startsWith(name.slice(0, at));
  };
  return MISSING_FLAGS.find(([names]) => names.some(isMeant))?.[1];
}
