/** The page at the root of the Ethereum face: the chain's addresses, accounts and newest blocks, wallets and faucet. */
import { byId, code, element, link, row, time, withNames } from './dom.js';
import { amountText, ask, blocksFrom, hexOf } from './ethereum.js';
import { addressOf, readFacts, type FaceName, type NodeFacts } from './node-facts.js';
import { addToKeplr, addToMetaMask } from './wallets.js';

const BLOCKS_SHOWN = 8;
const ACCOUNTS_SHOWN = 10;
const POLL_MS = 1_000;
/** Faces with the path that a person opens. */
const FACES: readonly (readonly [face: FaceName, label: string, scheme: 'http' | 'ws', path: string])[] = [
  ['eth_http', 'Ethereum JSON-RPC', 'http', '/'],
  ['eth_ws', 'Ethereum websocket', 'ws', ''],
  ['comet', 'Consensus RPC', 'http', '/'],
  ['rest', 'REST', 'http', '/'],
  ['metrics', 'Metrics and health', 'http', '/'],
];

function showFacts(facts: NodeFacts): void {
  for (const { name = '', private_key: key } of facts.accounts)
    if (key !== undefined) byId('keys').append(row(name, code(key)));
  document.title = `${facts.chain_id} - chronicled`;
  byId('chain').textContent = facts.chain_id;
  byId('facts').append(
    row('EIP-155 chain id', `${facts.evm_chain_id} (${hexOf(BigInt(facts.evm_chain_id))})`),
    row('Currency', `${facts.denom.symbol}: 1 ${facts.denom.display} = 10^${facts.denom.decimals} ${facts.denom.base}`),
    row('chronicled', facts.version),
  );
  for (const [face, label, scheme, path] of FACES) {
    const address = addressOf(facts, face, scheme);
    if (address !== undefined) byId('faces').append(row(label, scheme === 'ws' ? code(address) : link(address + path)));
  }
  if (facts.ports.grpc !== undefined)
    byId('faces').append(row('gRPC (plaintext, reflection)', code(`${location.hostname}:${facts.ports.grpc}`)));
}

/** Shows the balances of the accounts whose keys the node holds, at a block. */
async function showAccounts({ accounts, denom }: NodeFacts): Promise<void> {
  const shown = accounts.slice(0, ACCOUNTS_SHOWN);
  byId('accounts-part').hidden = shown.length === 0;
  byId('known-accounts').hidden = shown.every(({ name }) => name === undefined);
  byId('other-accounts').hidden = shown.every(({ name }) => name !== undefined);
  const balances = await ask(shown.map(({ hex }) => ({ method: 'eth_getBalance', params: [hex, 'latest'] })));
  byId('accounts').replaceChildren(
    ...shown.map(({ hex, bech32, name = '' }, index) => {
      const balance = balances[index];
      const amount = typeof balance === 'string' ? amountText(BigInt(balance), denom.decimals) : '?';
      return row(name, code(hex), code(bech32), `${amount} ${denom.symbol}`);
    }),
  );
}

async function showBlocks(facts: NodeFacts, head: bigint): Promise<void> {
  byId('blocks').replaceChildren(
    ...(await blocksFrom(head, BLOCKS_SHOWN)).map(({ number, hash, timestamp, gasUsed, transactions }) =>
      withNames(
        row(
          blockNumber(facts, BigInt(number)),
          code(hash),
          time(Number(timestamp) * 1_000),
          transactions.length.toString(),
          BigInt(gasUsed).toString(),
        ),
        'block',
        '',
        '',
        'transactions',
        'gas used',
      ),
    ),
  );
}

/** The number of a block as a link to the block on the consensus RPC, which has none below 1. */
function blockNumber(facts: NodeFacts, number: bigint): string | Node {
  const consensus = addressOf(facts, 'comet', 'http');
  return consensus === undefined || number < 1n
    ? number.toString()
    : link(`${consensus}/block?height=${number}`, number.toString());
}

/** Shows what is new since the last look, again and again; a head with another hash is new, too, after a revert. */
async function follow(facts: NodeFacts): Promise<void> {
  let seen = '';
  for (;;) {
    try {
      const [head] = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
      const { number, hash } = head as { readonly number: string; readonly hash: string };
      byId('state').textContent = `block ${BigInt(number)}`;
      if (hash !== seen) {
        await Promise.all([showBlocks(facts, BigInt(number)), showAccounts(facts)]);
        seen = hash;
      }
    } catch {
      byId('state').textContent = 'the node does not answer';
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Runs an action at each press of a button, or each sending of a form, and shows the text of its end or its error. */
function onPress(id: string, notice: string, action: () => Promise<string>): void {
  const pressed = byId(id);
  pressed.addEventListener(pressed instanceof HTMLFormElement ? 'submit' : 'click', (event) => {
    event.preventDefault();
    const shown = byId(notice);
    shown.textContent = '...';
    action().then(
      (text) => (shown.textContent = text),
      (error: unknown) => (shown.textContent = error instanceof Error ? error.message : String(error)),
    );
  });
}

async function drip(): Promise<string> {
  const address = (byId('faucet-address') as HTMLInputElement).value.trim();
  const response = await fetch('/faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  const answer: { readonly hash?: string; readonly error?: string } = await response.json();
  return answer.hash === undefined ? (answer.error ?? `status ${response.status}`) : `Sent: ${answer.hash}`;
}

const facts = await readFacts();
showFacts(facts);
onPress('add-to-metamask', 'wallet-notice', () => addToMetaMask(facts));
onPress('add-to-keplr', 'wallet-notice', async () => addToKeplr(await readFacts()));
if (facts.faucet_amount !== undefined) {
  byId('faucet-part').hidden = false;
  byId('faucet-amount').append(
    element('strong', `${amountText(BigInt(facts.faucet_amount), facts.denom.decimals)} ${facts.denom.symbol}`),
  );
  onPress('faucet', 'faucet-notice', drip);
}
await follow(facts);
