/**
 * Home: addresses of all faces, wallets, faucet, accounts, the newest blocks and transactions.
 * Asks: `eth_getBlockByNumber`, `eth_getBalance`, `/tx_search`, `POST /faucet`.
 */
import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { askAll, type Block, type EthereumTx, valueOf } from '../data/ethereum.js';
import { amountText, countText, gweiText } from '../data/format.js';
import { faceAddress, type FaceName, isLoopback, type NodeFacts, readFacts } from '../data/node-facts.js';
import { blocksFrom, type KnownBlocks, searchTxs } from '../data/recent.js';
import { blockTag, headHeight, moment, refusePruned } from '../data/store.js';
import { addToKeplr, addToWallet, wallets } from '../data/wallets.js';
import { Action, messageOf } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { AccountId, Id, To } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Coins } from '../parts/values.js';
import { BlockTable } from '../parts/block-table.js';
import { Bars } from '../parts/chart.js';
import { TxTable } from '../parts/tx-table.js';

const BLOCKS_SHOWN = 8;
const BLOCKS_CHARTED = 40;
const TXS_SHOWN = 8;
const ACCOUNTS_SHOWN = 20;

const FACES: readonly (readonly [face: FaceName, label: string, scheme: 'http' | 'ws', path: string])[] = [
  ['eth_http', 'Ethereum', 'http', ''],
  ['eth_ws', 'WebSocket', 'ws', ''],
  ['comet', 'Consensus', 'http', ''],
  ['rest', 'REST', 'http', ''],
  ['metrics', 'Metrics', 'http', ''],
];

/** The first view of the application. */
export function Home({ facts }: { facts: NodeFacts }) {
  const top = moment.value ?? headHeight.value;
  const known = useRef<KnownBlocks>(new Map());
  const blocks = useAnswer(['home-blocks'], async () => {
    refusePruned();
    return blocksFrom(moment.value ?? headHeight.value, BLOCKS_CHARTED, known.current);
  });
  const txs = useAnswer(['home-txs'], async () => {
    refusePruned();
    const query = moment.value === undefined ? 'tx.height > 0' : `tx.height <= ${moment.value}`;
    return searchTxs(query, 1, TXS_SHOWN, facts.denom.base);
  });
  return (
    <>
      <Title kicker="Chain">{facts.chain_id}</Title>
      <div class="columns">
        <div>
          <Card title="Activity" id="activity">
            <Shown answer={blocks} lines={4}>
              {(list) => <Charts blocks={list} />}
            </Shown>
          </Card>
          <Card title="Latest blocks" id="blocks" actions={<To route={{ view: 'blocks' }}>All blocks</To>}>
            <Shown answer={blocks} lines={BLOCKS_SHOWN}>
              {(list) => <BlockTable blocks={list.slice(0, BLOCKS_SHOWN)} isShort />}
            </Shown>
          </Card>
          <Card
            title="Latest transactions"
            id="transactions"
            actions={<To route={{ view: 'txs' }}>All transactions</To>}
          >
            <Shown answer={txs}>
              {({ rows }) => (
                <TxTable
                  rows={rows}
                  label="Latest transactions"
                  isShort
                  empty={`No transaction in ${countText(top, 'block')}.${facts.faucet_amount === undefined ? '' : ' The faucet makes the first.'}`}
                />
              )}
            </Shown>
          </Card>
        </div>
        <div class="aside">
          <Connect facts={facts} />
          <Wallets facts={facts} />
          {facts.faucet_amount !== undefined && <Faucet facts={facts} amount={BigInt(facts.faucet_amount)} />}
          <Card title="Chain">
            <Pairs
              rows={[
                ['Chain id', <Id id={facts.chain_id} whole what="chain id" />],
                ['EVM chain id', <Id id={facts.evm_chain_id} whole what="EVM chain id" />],
                ['Currency', `${facts.denom.symbol}: 1 = 10^${facts.denom.decimals} ${facts.denom.base}`],
                ['Addresses', `0x… and ${facts.bech32_prefix}1…`],
                ['chronicled', facts.version],
              ]}
            />
          </Card>
        </div>
      </div>
      <Accounts facts={facts} />
    </>
  );
}

function Charts({ blocks }: { blocks: readonly Block<EthereumTx>[] }) {
  const old = blocks.toReversed();
  const label = (block: Block<EthereumTx>): string => `block ${BigInt(block.number)}`;
  return (
    <div class="charts">
      <Bars
        title="Transactions"
        points={old.map((block) => ({ label: label(block), value: block.transactions.length }))}
      />
      <Bars title="Gas used" points={old.map((block) => ({ label: label(block), value: Number(block.gasUsed) }))} />
      <Bars
        title="Base fee"
        points={old.flatMap((block) =>
          block.baseFeePerGas === undefined ? [] : [{ label: label(block), value: Number(block.baseFeePerGas) }],
        )}
        text={(value) => gweiText(BigInt(Math.round(value)))}
      />
    </div>
  );
}

function Connect({ facts }: { facts: NodeFacts }) {
  const rows = FACES.flatMap(([face, label, scheme, path]) => {
    const address = faceAddress(facts, face, scheme);
    return address === undefined
      ? []
      : [[label, <Id key={face} id={address + path} whole what={`address of ${label}`} />] as const];
  });
  const grpc = facts.ports.grpc;
  return (
    <Card title="Connect" id="faces">
      <Pairs
        rows={[
          ...rows,
          ['gRPC', grpc !== undefined && <Id id={`${location.hostname}:${grpc}`} whole what="gRPC address" />],
        ]}
      />
    </Card>
  );
}

function Wallets({ facts }: { facts: NodeFacts }) {
  const list = wallets.value;
  return (
    <Card title="Wallets" id="wallets">
      <div class="stack">
        {list.length === 0 && <p class="muted">This browser has no Ethereum wallet.</p>}
        {list.map((wallet) => (
          <div key={wallet.id} class="wallet">
            {wallet.icon !== undefined && <img src={wallet.icon} alt="" width={20} height={20} />}
            <Action
              label={wallet.id === 'window.ethereum' ? 'Add to MetaMask' : `Add to ${wallet.name}`}
              run={() => addToWallet(facts, wallet)}
            />
          </div>
        ))}
        <Action label="Add to Keplr" run={async () => await addToKeplr(await readFacts())} />
      </div>
    </Card>
  );
}

function Faucet({ facts, amount }: { facts: NodeFacts; amount: bigint }) {
  const address = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<{ readonly hash?: string; readonly text: string; readonly isBad: boolean }>({
    text: '',
    isBad: false,
  });
  const send = async (): Promise<void> => {
    setOutcome({ text: '…', isBad: false });
    const response = await fetch('/faucet', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: address.current?.value.trim() ?? '' }),
    });
    const { hash, error }: { readonly hash?: string; readonly error?: string } = await response.json();
    setOutcome(
      hash === undefined
        ? { text: error ?? `status ${response.status}`, isBad: true }
        : { hash, text: 'Sent: ', isBad: false },
    );
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    send().catch((error: unknown) => setOutcome({ text: messageOf(error), isBad: true }));
  };
  return (
    <Card title="Faucet" id="faucet">
      <form class="stack" onSubmit={submit}>
        <label for="faucet-address">
          Send <strong>{`${amountText(amount, facts.denom.decimals)} ${facts.denom.symbol}`}</strong> to
        </label>
        <div class="row">
          <input
            id="faucet-address"
            placeholder={`0x… or ${facts.bech32_prefix}1…`}
            spellcheck={false}
            autocomplete="off"
            required
            ref={address}
          />
          <button class="primary">Send</button>
        </div>
        <p id="faucet-notice" role="status" class={outcome.isBad ? 'outcome bad' : 'outcome'}>
          {outcome.text}
          {outcome.hash !== undefined && (
            <Id id={outcome.hash} route={{ view: 'tx', hash: outcome.hash }} what="hash" />
          )}
        </p>
      </form>
    </Card>
  );
}

function Accounts({ facts }: { facts: NodeFacts }) {
  const [hasKeys, setKeys] = useState(false);
  const shown = facts.accounts.slice(0, ACCOUNTS_SHOWN);
  const balances = useAnswer(['home-balances', shown.map(({ hex }) => hex)], () =>
    askAll(shown.map(({ hex }) => ({ method: 'eth_getBalance', params: [hex, blockTag.value] }))),
  );
  if (shown.length === 0) return null;
  const known = shown.filter(({ private_key: key }) => key !== undefined);
  const mayShowKeys = known.length > 0 && isLoopback(location.hostname);
  return (
    <Card
      title="Accounts"
      id="accounts"
      actions={
        mayShowKeys && (
          <button type="button" class="quiet" aria-expanded={hasKeys} onClick={() => setKeys(!hasKeys)}>
            {hasKeys ? 'Hide keys' : 'Show keys'}
          </button>
        )
      }
    >
      {hasKeys && <Callout kind="warn">Everybody knows these keys: never use them on a real network.</Callout>}
      <Table
        label="Accounts whose keys the node holds"
        columns={['Account', 'bech32', '>Balance', ...(hasKeys ? ['Private key'] : [])]}
        rows={shown.map(({ hex, bech32, private_key: key }, index) => {
          const balance = balances.state === 'there' ? valueOf<string>(balances.value[index]) : null;
          return {
            key: hex,
            cells: [
              <AccountId address={hex} whole />,
              <Id id={bech32} whole what="bech32 address" />,
              balance !== null ? (
                <Coins amount={BigInt(balance)} places={4} />
              ) : (
                <span class="muted">{balances.state === 'loading' ? '…' : 'not known'}</span>
              ),
              ...(hasKeys ? [key === undefined ? '' : <Id id={key} what="private key" />] : []),
            ],
          };
        })}
      />
      {known.length < shown.length && (
        <p class="muted">
          The page does not show the keys of accounts without a name.{' '}
          <code>chronicled keys add mine --recover --index 1</code> makes the one with the number 1 of your{' '}
          <code>--mnemonic</code>.
        </p>
      )}
    </Card>
  );
}
