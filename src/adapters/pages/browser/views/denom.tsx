/** A denomination: supply, metadata, owners, and its token. Asks: `/cosmos/bank/v1beta1`, `/cosmos/evm/erc20/v1`. */
import { useAnswer } from '../data/answer.js';
import { type Coin, restOrNull } from '../data/faces.js';
import { moment } from '../data/store.js';
import { Shown } from '../parts/answers.js';
import { AccountId } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { CoinText } from '../parts/values.js';
import { Json } from '../parts/json.js';

interface Owner {
  readonly address: string;
  readonly balance: Coin;
}

/** The view of a base denomination. */
export function DenomView({ denom }: { denom: string }) {
  const query = encodeURIComponent(denom);
  const answer = useAnswer(['denom', denom], async () => {
    const at = moment.value;
    const [supply, metadata, owners, pair] = await Promise.all([
      restOrNull<{ readonly amount: Coin }>(`/cosmos/bank/v1beta1/supply/by_denom?denom=${query}`, at),
      restOrNull<{ readonly metadata: unknown }>(
        `/cosmos/bank/v1beta1/denoms_metadata_by_query_string?denom=${query}`,
        at,
      ),
      restOrNull<{ readonly denom_owners: readonly Owner[] }>(
        `/cosmos/bank/v1beta1/denom_owners_by_query?denom=${query}&pagination.limit=50`,
        at,
      ),
      restOrNull<{ readonly token_pair: { readonly erc20_address: string } }>(
        `/cosmos/evm/erc20/v1/token_pairs/${query}`,
        at,
      ),
    ]);
    return {
      supply: supply?.amount,
      metadata: metadata?.metadata,
      owners: owners?.denom_owners ?? [],
      pair: pair?.token_pair,
    };
  });
  return (
    <>
      <Title kicker="Denomination">{denom}</Title>
      <Shown answer={answer} lines={6}>
        {({ supply, metadata, owners, pair }) => (
          <>
            <Card title="Denomination">
              <Pairs
                rows={[
                  ['Supply', supply === undefined ? 'none' : <CoinText {...supply} />],
                  ['Token', pair !== undefined && <AccountId address={pair.erc20_address} whole />],
                  ['Metadata', metadata !== undefined && <Json value={metadata} />],
                ]}
              />
            </Card>
            <Card title="Owners" id="list">
              <Table
                label="Owners"
                columns={['Account', '>Amount']}
                empty="Nobody has any."
                rows={owners.map(({ address, balance }) => ({
                  key: address,
                  cells: [<AccountId address={address} />, <CoinText {...balance} />],
                }))}
              />
              {owners.length === 50 && <p class="muted">The first 50 owners are shown.</p>}
            </Card>
          </>
        )}
      </Shown>
    </>
  );
}
