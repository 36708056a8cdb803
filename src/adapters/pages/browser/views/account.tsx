/**
 * An account in both spellings: nonce, coins, tokens, delegations, history of both worlds; code has a tab.
 * Asks: `eth_getAccountInfo`, `/cosmos/auth`, `/cosmos/bank`, `/cosmos/staking`, `eth_getLogs`,
 * `/tx_search`, `ots_searchTransactionsBefore`.
 */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { balanceChanges, historyOf } from '../data/account-history.js';
import { abiOf } from '../data/contracts.js';
import { type Address, addressOf } from '../data/crypto.js';
import { LOG_BLOCKS, logBounds } from '../data/ethereum.js';
import { amountText, groupedText } from '../data/format.js';
import { coinsOf, delegationsOf, infoOf, unbondingOf } from '../data/holdings.js';
import type { NodeFacts } from '../data/node-facts.js';
import type { AccountPart } from '../data/router.js';
import { earliest, headHeight, moment } from '../data/store.js';
import { MOST_TRANSFERS, tokensOf, tokenTransfers } from '../data/tokens.js';
import { Callout, Failure, Shown } from '../parts/answers.js';
import { AccountId, accountName, BlockLink, ContractId, Id, To, TxId } from '../parts/ids.js';
import { Card, Pairs, Table, Tabs, Title } from '../parts/layout.js';
import { Coins, CoinText } from '../parts/values.js';
import { TxTable } from '../parts/tx-table.js';
import { Grants } from './account-grants.js';
import { ContractPart } from './contract.js';
import { ContractEvents, ContractStorage } from './contract-state.js';

/** The view of an address in either spelling. */
export function AccountView({ address: text, part, facts }: { address: string; part: AccountPart; facts: NodeFacts }) {
  const address = addressOf(text, facts.bech32_prefix);
  if (address === undefined)
    return (
      <>
        <Title kicker="Account">{text}</Title>
        <Callout kind="bad">
          This is not an address of the chain. An address is 0x and 40 hexadecimal digits, or {facts.bech32_prefix}1….
        </Callout>
      </>
    );
  return <Whole address={address} part={part} facts={facts} />;
}

function Whole({ address, part, facts }: { address: Address; part: AccountPart; facts: NodeFacts }) {
  const { hex, bech32 } = address;
  const info = useAnswer(['account', bech32], () =>
    hex === undefined ? Promise.resolve(undefined) : infoOf(hex, moment.value),
  );
  const code = info.state === 'there' ? (info.value?.code ?? '0x') : '0x';
  const isContract = code !== '0x';
  const spelling = hex ?? bech32;
  const tab = (label: string, to: AccountPart) =>
    [label, { view: 'account', address: spelling, part: to }, part === to] as const;
  const name = accountName(spelling) ?? (hex === undefined ? undefined : abiOf(hex)?.name);
  return (
    <>
      <Title
        kicker={isContract ? 'Contract' : 'Account'}
        side={name !== undefined && <Id id={spelling} what="address" />}
      >
        {name ?? spelling}
      </Title>
      <Tabs
        label="Parts of the account"
        tabs={[
          tab('Overview', 'state'),
          tab('History', 'history'),
          ...(isContract || part === 'contract' ? [tab('Contract', 'contract')] : []),
          ...(isContract || part === 'events' ? [tab('Events', 'events')] : []),
          ...(isContract || part === 'storage' ? [tab('Storage', 'storage')] : []),
        ]}
      />
      {part === 'state' && (
        <>
          <Card
            title="Account"
            actions={<To route={{ view: 'account', address: spelling, part: 'history' }}>What changed the balance</To>}
          >
            <Pairs
              rows={[
                ['Ethereum', hex !== undefined && <Id id={hex} whole what="address" />],
                ['Cosmos', <Id id={bech32} whole what="bech32 address" />],
                [
                  'Balance',
                  info.state === 'there' && info.value !== undefined && (
                    <Coins amount={BigInt(info.value.balance)} places={18} />
                  ),
                ],
                ['Nonce', info.state === 'there' && info.value !== undefined && groupedText(BigInt(info.value.nonce))],
                ['Code', isContract && `${groupedText((code.length - 2) / 2)} bytes`],
              ]}
            />
            {info.state === 'failed' && <Failure message={info.message} />}
          </Card>
          <Holdings address={address} facts={facts} />
          <Grants address={address} />
        </>
      )}
      {part === 'history' && <HistoryPart address={address} facts={facts} />}
      {part === 'history' && hex !== undefined && <TokenTransfers hex={hex} />}
      {part === 'contract' && hex !== undefined && <ContractPart address={hex} code={code} facts={facts} />}
      {part === 'events' && hex !== undefined && <ContractEvents address={hex} />}
      {part === 'storage' && hex !== undefined && <ContractStorage address={hex} />}
    </>
  );
}

function Holdings({ address: { hex, bech32 }, facts }: { address: Address; facts: NodeFacts }) {
  const at = moment.value;
  const coins = useAnswer(['coins', bech32], () => coinsOf(bech32, at));
  const tokens = useAnswer(['tokens', bech32], () =>
    hex === undefined ? Promise.resolve([]) : tokensOf(hex, moment.value ?? headHeight.value, earliest.value),
  );
  const delegations = useAnswer(['delegations', bech32], () => delegationsOf(bech32, at));
  const unbonding = useAnswer(['unbonding', bech32], () => unbondingOf(bech32, at));
  const leaving = unbonding.state === 'there' ? unbonding.value : [];
  return (
    <>
      <Card title="Coins">
        <Shown answer={coins}>
          {(list) => (
            <Table
              label="Coins"
              columns={['Denomination', '>Amount']}
              empty="This account has no coins."
              rows={list.map((coin) => ({
                key: coin.denom,
                cells: [<code>{coin.denom}</code>, <CoinText {...coin} />],
              }))}
            />
          )}
        </Shown>
      </Card>
      <Card title="Tokens">
        <Shown answer={tokens}>
          {(list) => (
            <Table
              label="Tokens"
              columns={['Token', 'Contract', '>Balance']}
              empty={`No token moved to or from this account since block ${BigInt(logBounds(at ?? headHeight.value, earliest.value).fromBlock)}.`}
              rows={list.map(({ token, symbol, decimals, balance }) => ({
                key: token,
                cells: [
                  symbol || 'without symbol',
                  <ContractId address={token} />,
                  amountText(balance, decimals, decimals),
                ],
              }))}
            />
          )}
        </Shown>
      </Card>
      <Card title="Delegations">
        <Shown answer={delegations}>
          {(list) => (
            <Table
              label="Delegations"
              columns={['Validator', '>Delegated']}
              empty="Nothing is delegated."
              rows={list.map(({ delegation, balance }) => ({
                key: delegation.validator_address,
                cells: [
                  <Id
                    id={delegation.validator_address}
                    route={{ view: 'validator', address: delegation.validator_address }}
                    what="validator"
                  />,
                  <CoinText {...balance} />,
                ],
              }))}
            />
          )}
        </Shown>
        {leaving.length > 0 && (
          <Table
            label="Coins that are unbonding"
            columns={['Validator', '>Unbonding', 'Until']}
            rows={leaving.map(({ validator, balance, completion_time: until }, index) => ({
              key: `${validator} ${index}`,
              cells: [
                <Id id={validator} what="validator" />,
                <CoinText denom={facts.denom.base} amount={balance} />,
                until,
              ],
            }))}
          />
        )}
      </Card>
    </>
  );
}

const PAGE = 25;

function HistoryPart({ address, facts }: { address: Address; facts: NodeFacts }) {
  const [count, setCount] = useState(PAGE);
  const history = useAnswer(['history', address.bech32, count], () =>
    historyOf(address, count, moment.value, facts.denom.base),
  );
  const heights = history.state === 'there' ? [...new Set(history.value.rows.map(({ height }) => height))] : [];
  const changes = useAnswer(['balance-changes', address.bech32, heights], () => balanceChanges(address.hex, heights));
  const change = (height: string) => {
    const by = changes.state === 'there' ? changes.value.get(height) : undefined;
    if (by === undefined) return '';
    return (
      <span class={by < 0n ? 'minus' : 'plus'}>
        {by > 0n && '+'}
        <Coins amount={by} places={facts.denom.decimals} />
      </span>
    );
  };
  return (
    <Card title="Transactions of both worlds" id="list">
      <Shown answer={history} lines={8}>
        {({ rows, hasMore }) => (
          <>
            <TxTable
              rows={rows}
              label="History"
              empty="No transaction of this account."
              more={{
                name: '>Change in its block',
                cell: ({ height }) => change(height),
              }}
            />
            {hasMore && count < 100 && (
              <button type="button" onClick={() => setCount(Math.min(100, count * 2))}>
                More
              </button>
            )}
            {hasMore && count >= 100 && (
              <p class="muted">
                The newest {rows.length} are shown. The view of transactions takes queries for others.
              </p>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}

/** Transfers of tokens are in no list of transactions: another account may have sent one, or a contract. */
function TokenTransfers({ hex }: { hex: string }) {
  const answer = useAnswer(['transfers', hex], () =>
    tokenTransfers(hex, moment.value ?? headHeight.value, earliest.value),
  );
  return (
    <Card title={`Transfers of tokens, the newest ${MOST_TRANSFERS} at most`} id="transfers">
      <Shown answer={answer}>
        {(list) => (
          <Table
            label="Transfers of tokens"
            columns={['Hash', 'Block', 'Token', 'From or to', '>Change']}
            empty={`No token was sent or received in the last ${groupedText(LOG_BLOCKS)} blocks.`}
            rows={list.map(({ log, token, symbol, decimals, other, by }) => ({
              key: `${log.blockNumber} ${log.logIndex}`,
              cells: [
                <TxId hash={log.transactionHash} />,
                <BlockLink height={log.blockNumber} />,
                <ContractId address={token} />,
                <AccountId address={other} />,
                <span class={by < 0n ? 'minus' : 'plus'}>
                  {by > 0n && '+'}
                  {amountText(by, decimals, decimals)} <span class="unit">{symbol}</span>
                </span>,
              ],
            }))}
          />
        )}
      </Shown>
    </Card>
  );
}
