import type { CommandFile, Topic } from './table/command-table.js';

const queryChain = () => import('./commands/query-chain.js');
const queryAuth = () => import('./commands/query-auth.js');
const txBank = () => import('./commands/tx-bank.js');
const txProposals = () => import('./commands/tx-proposals.js');
const txUpgrade = () => import('./commands/tx-upgrade.js');
const queryRewards = () => import('./commands/query-rewards.js');
const txRewards = () => import('./commands/tx-rewards.js');
const queryGrants = () => import('./commands/query-grants.js');
const queryEvmos = () => import('./commands/query-evmos.js');
const queryErc20 = () => import('./commands/query-erc20.js');
const debug = () => import('./commands/debug.js');

/** Files with the top-level commands. */
const ROOT: readonly CommandFile[] = [
  () => import('./commands/trace.js'),
  queryChain,
  () => import('./commands/version.js'),
];

function topic(path: string, doc: string, files: readonly CommandFile[], aliases: readonly string[] = []): Topic {
  return { path, doc, files, aliases };
}

/**
 * All topics, with the files of the commands directly below each. A command line loads only the files of its own
 * topic.
 */
export const TOPICS: readonly Topic[] = [
  topic('query', 'ask the node', [() => import('./commands/query-tx.js'), queryChain, queryAuth], ['q']),
  topic('query auth', 'accounts', [queryAuth]),
  topic('query bank', 'balances and supply', [() => import('./commands/query-bank.js')]),
  topic('query evm', 'accounts and contracts of the EVM', [() => import('./commands/query-evm.js')]),
  topic('query feemarket', 'the base fee', [() => import('./commands/query-feemarket.js')]),
  topic('query gov', 'proposals, deposits and votes', [() => import('./commands/query-gov.js')]),
  topic('query upgrade', 'upgrade plans', [() => import('./commands/query-upgrade.js')]),
  topic('query consensus', 'consensus parameters and the node', [() => import('./commands/query-consensus.js')]),
  topic('query consensus comet', 'blocks, validators and the node itself', [() => import('./commands/query-comet.js')]),
  topic('tx', 'make, sign and send transactions', [
    () => import('./commands/tx-sign.js'),
    () => import('./commands/tx-multisign.js'),
    () => import('./commands/tx-validate.js'),
    () => import('./commands/tx-tools.js'),
  ]),
  topic('tx bank', 'transfers', [txBank, txProposals]),
  topic('tx evm', 'Ethereum transactions', [() => import('./commands/tx-evm.js'), txBank]),
  topic('tx gov', 'propose, deposit and vote', [
    () => import('./commands/tx-gov.js'),
    () => import('./commands/draft-proposal.js'),
  ]),
  topic('tx upgrade', 'schedule and cancel upgrades', [txUpgrade, txProposals]),
  topic('upgrade', 'schedule, cancel and rehearse upgrades', [txUpgrade]),
  topic('query staking', 'validators and delegations', [() => import('./commands/query-staking.js')]),
  topic('tx staking', 'delegate, and run a validator', [() => import('./commands/tx-staking.js')]),
  topic('query mint', 'inflation', [queryRewards]),
  topic('query distribution', 'rewards and the community pool', [queryRewards]),
  topic('query slashing', 'signing records of validators', [queryRewards]),
  topic('query evidence', 'proven offences of validators', [queryRewards]),
  topic('query params', 'legacy parameters of all modules', [queryRewards]),
  topic('tx distribution', 'withdraw rewards, fund the community pool', [txRewards, txProposals]),
  topic('tx slashing', 'unjail a validator', [txRewards, txProposals]),
  topic('tx crisis', 'check an invariant', [txRewards]),
  topic('query authz', 'permissions to execute messages', [queryGrants]),
  topic('query feegrant', 'fees that one account pays for another', [queryGrants]),
  topic('tx authz', 'permissions to execute messages', [() => import('./commands/tx-authz.js')]),
  topic('tx feegrant', 'fees that one account pays for another', [() => import('./commands/tx-feegrant.js')]),
  topic('tx vesting', 'accounts whose coins become spendable over time', [() => import('./commands/tx-vesting.js')]),
  topic('query erc20', 'coins as tokens of contracts', [queryErc20]),
  topic('query precisebank', 'parts of the base denom', [queryErc20]),
  topic('tx erc20', 'coins as tokens of contracts, and back', [() => import('./commands/tx-erc20.js')]),
  topic('query claims', 'coins that accounts claim by their first actions', [queryEvmos]),
  topic('query epochs', 'spans of time that end and begin anew', [queryEvmos]),
  topic('query incentives', 'rewards for the gas of contracts', [queryEvmos]),
  topic('query inflation', 'new coins of epochs', [queryEvmos]),
  topic('query vesting', 'accounts with clawback', [queryEvmos]),
  topic('query recovery', 'recovery of coins on accounts without an Ethereum key', [queryEvmos]),
  topic('query ibc', 'clients, connections and channels of IBC', []),
  topic('query ibc client', 'light clients of other chains', [
    () => import('./commands/query-ibc-client.js'),
    () => import('./commands/query-ibc-header.js'),
  ]),
  topic('query ibc connection', 'connections with other chains', [() => import('./commands/query-ibc-connection.js')]),
  topic('query ibc channel', 'channels and their packets', [() => import('./commands/query-ibc-channel.js')]),
  topic('query ibc channelv2', 'packets from client to client (v2)', [
    () => import('./commands/query-ibc-channel-v2.js'),
  ]),
  topic('query ibc-transfer', 'tokens over IBC', [() => import('./commands/query-ibc-transfer.js')]),
  topic('tx ibc', 'light clients of other chains', []),
  topic('tx ibc client', 'light clients of other chains', [() => import('./commands/tx-ibc-client.js')]),
  topic('tx ibc-transfer', 'tokens over IBC', [() => import('./commands/tx-ibc-transfer.js')]),
  topic('tx auth', 'accounts', [txProposals]),
  topic('tx consensus', 'consensus parameters', [txProposals]),
  topic('tx evidence', 'proven offences of validators: no kind of them can be submitted', []),
  topic('tx feemarket', 'the base fee', [txProposals]),
  topic('tx mint', 'inflation', [txProposals]),
  topic('keys', 'keys that sign', [
    () => import('./commands/keys-add.js'),
    () => import('./commands/keys.js'),
    () => import('./commands/keys-transfer.js'),
  ]),
  topic('debug', 'read addresses, keys and bytes, compare chains, make evidence', [
    debug,
    () => import('./commands/debug-compare-chain.js'),
    () => import('./commands/debug-double-sign.js'),
  ]),
  topic('debug codec', 'types of the application', [debug]),
  topic('config', 'the configuration of a home', [() => import('./commands/config.js')]),
  topic('genesis', 'the genesis file of a home', [
    () => import('./commands/genesis.js'),
    () => import('./commands/gentx.js'),
  ]),
  topic(
    'comet',
    "the keys of a home's validator and node",
    [() => import('./commands/comet.js'), () => import('./commands/comet-init.js')],
    ['cometbft', 'tendermint'],
  ),
];

/**
 * The command files that a command line needs: those directly below its topic. A flag before the command words may
 * belong to any command below the topic, and completion needs all commands.
 */
export function reachedBy(words: readonly string[]): readonly CommandFile[] {
  let path = '';
  let at = 0;
  for (let topic = topicAt(path, words[at]); topic !== undefined; topic = topicAt(path, words[at])) {
    path = topic.path;
    at += 1;
  }
  const next = words[at] ?? '';
  const isOpen = (next.startsWith('-') && !HELP.has(next)) || (path === '' && next === 'completion');
  const below = TOPICS.filter(
    (topic) => topic.path === path || (isOpen && `${topic.path} `.startsWith(`${path} `.trimStart())),
  );
  const files = [...(path === '' ? ROOT : []), ...below.flatMap((topic) => topic.files)];
  return [...new Set(files)];
}

const HELP: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/** The topic of a word below the topic at `path`. */
function topicAt(path: string, word: string | undefined): Topic | undefined {
  return TOPICS.find((topic) => {
    const words = topic.path.split(' ');
    const name = words.pop();
    return words.join(' ') === path && (name === word || topic.aliases.includes(word ?? ''));
  });
}
