/** Recorded command lines that are not compared, with reasons. */

export interface Recorded {
  readonly args: readonly string[];
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdin?: string;
}

/** A recorded command line with the file that has it. */
export interface RecordedIn extends Recorded {
  readonly file: string;
}

export const OUR_QUERIES =
  /^query (auth|authz|bank|distribution|erc20|evidence|feegrant|mint|precisebank|slashing|evm|feemarket|gov|ibc|ibc-transfer|staking|upgrade|consensus|tx|txs|block|blocks|block-results|comet-validator-set|wait-tx)\b/;
const OUR_COMMANDS =
  /^(keys (show|list|parse|list-key-types|add|rename|delete|export|mnemonic|migrate|unsafe)|debug (addr|raw-bytes|pubkey|pubkey-raw|prefixes)|tx (authz|bank|distribution|erc20|feegrant|slashing|evm|gov|ibc-transfer|staking|upgrade|vesting|sign|encode|decode|simulate|validate-signatures|broadcast|multi-sign)|genesis validate)\b/;

/**
 * The reason that a recorded command is not compared; undefined when it is.
 * `docs/generated/recorded-commands.md` lists the commands with their reasons.
 */
export function skipped({ args, stdout, file }: RecordedIn): string | undefined {
  const line = args.join(' ');
  if (!OUR_QUERIES.test(line) && !OUR_COMMANDS.test(line)) return 'files, modules and tools of the Go node';
  if (/--help/.test(line) || stdout.includes('Usage:')) return 'help texts are laid out otherwise';
  if (stdout.includes('...cut here by the recorder')) return 'the recording keeps the beginning only';
  if (/^query upgrade (plan|applied nope)/.test(line)) return 'without a plan the exit code is 1';
  if (/27401/.test(line) && file !== 'tx-vectors/multisig.jsonl') return 'recorded over another chain';
  if (/^query block( -o json)? --node/.test(line)) return 'no line before the block: JSON stays JSON';
  if (/^query (block 20|blocks)/.test(line)) return 'heights need no --type, and blocks can be searched';
  if (/^query consensus comet node-info/.test(line)) return 'facts of the Go build';
  if (/^query evm balance-erc20/.test(line)) return 'the answer is YAML and JSON like every other';
  if (/acc_seq cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm\/5 --node/.test(line))
    return 'long texts are not folded in YAML';
  if (/^query staking unbonding-delegations /.test(line)) return 'an empty list is []';
  if (/^query wait-tx EE7340A/.test(line)) return 'a transaction that is found is shown whole';
  if (/--grpc-addr/.test(line)) return 'the command line asks the consensus RPC only';
  if (/ -o nope /.test(line)) return 'formats are checked';
  if (/^(keys (list|show|add)) .*-o json/.test(line)) return '-o is known to every command';
  if (/--source x/.test(line)) return 'randomness is never read from a file';
  if (/^keys add k1 --recover .*clitmp/.test(line) && file === 'faces/cli-2.jsonl')
    return 'a keyring of another session';
  if (
    /^keys (add ks|delete|rename|export|unsafe|migrate|mnemonic|import)/.test(line) ||
    (/^keys (list|show|add) /.test(line) && /clitmp/.test(line) && file === 'faces/cli-2.jsonl')
  )
    return 'random keys, and keyrings in forms of this program';
  if (/^keys show cosmos15rh/.test(line)) return 'accounts of the test mnemonic have names';
  if (/^keys list --output json/.test(line)) return 'a keyring of another session';
  if (/^keys list .*clitmp/.test(line)) return 'a random key is listed';
  if (/^genesis validate/.test(line)) return 'the home is not recorded';
  if (/^query txs --events/.test(line)) return 'the older flag is taken here';
  if (/^tx simulate/.test(line)) return 'the file of the transaction is not recorded';
  if (/^tx bank send .*--dry-run/.test(line)) return 'a dry run takes names of keys';
  if (/^tx bank send/.test(line) && !/--generate-only|:1 |wrong/.test(line)) return 'needs blocks between the commands';
  if (/^tx bank send .*--chain-id wrong/.test(line)) return 'needs blocks between the commands';
  if (/--generate-only --offline/.test(line)) return 'an unsigned transaction needs no sequence';
  if (/^tx evm raw 0x02/.test(line)) return "the EIP-155 id is the chain's, not the chain id";
  if (
    /^tx (broadcast|validate-signatures|encode).*clitmp2|^tx bank send cosmos12ap9e20/.test(line) &&
    !/encode|generate-only/.test(line)
  )
    return 'an account of another chain';
  if (/^tx ibc-transfer transfer/.test(line)) return "the timeout counts from the node's last block";
  if (/^tx gov draft-proposal/.test(line)) return 'files of proposals are written without a form';
  if (/^tx upgrade software-upgrade .*--upgrade-info  ?--from/.test(line)) return 'the text of a plan may be empty';
  return undefined;
}
