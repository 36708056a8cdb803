/**
 * One validator: description, tokens, commission, rewards, delegations.
 * Asks: `/cosmos/staking`, `/cosmos/slashing`, `/cosmos/distribution`, `/validators`.
 */
import { useAnswer } from '../data/answer.js';
import { bech32Bytes, spellings } from '../data/crypto.js';
import { type Coin, restOrNull } from '../data/faces.js';
import type { NodeFacts } from '../data/node-facts.js';
import { percentText, powerText, validatorsAt } from '../data/staking.js';
import { moment } from '../data/store.js';
import { Shown } from '../parts/answers.js';
import { AccountId, Id } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Coins, CoinText } from '../parts/values.js';
import { ValidatorState } from './validators.js';

/** The view of an operator's address. */
export function ValidatorView({ address, facts }: { address: string; facts: NodeFacts }) {
  const prefix = facts.bech32_prefix;
  const answer = useAnswer(['validator', address], async () => {
    const list = await validatorsAt(moment.value, prefix);
    const one = list.find(({ operator_address: operator }) => operator === address);
    if (one === undefined) throw new Error(`This chain has no validator ${address} at this moment.`);
    return one;
  });
  const money = useAnswer(['validator-money', address], async () => {
    const at = moment.value;
    const path = encodeURIComponent(address);
    const [delegations, rewards, commission] = await Promise.all([
      restOrNull<{
        readonly delegation_responses: readonly {
          readonly delegation: { readonly delegator_address: string };
          readonly balance: Coin;
        }[];
        readonly pagination: { readonly total: string } | null;
      }>(`/cosmos/staking/v1beta1/validators/${path}/delegations?pagination.limit=100&pagination.count_total=true`, at),
      restOrNull<{ readonly rewards: { readonly rewards: readonly Coin[] } }>(
        `/cosmos/distribution/v1beta1/validators/${path}/outstanding_rewards`,
        at,
      ),
      restOrNull<{ readonly commission: { readonly commission: readonly Coin[] } }>(
        `/cosmos/distribution/v1beta1/validators/${path}/commission`,
        at,
      ),
    ]);
    return {
      delegations: delegations?.delegation_responses ?? [],
      total: delegations?.pagination?.total ?? '0',
      rewards: rewards?.rewards.rewards ?? [],
      commission: commission?.commission.commission ?? [],
    };
  });
  const operator = bech32Bytes(address, `${prefix}valoper`);
  const coins = (list: readonly Coin[]) =>
    list.length === 0 ? 'none' : list.map((coin) => <CoinText key={coin.denom} {...coin} />);
  return (
    <Shown answer={answer} lines={8} title="Validator">
      {(one) => (
        <>
          <Title kicker="Validator" side={<ValidatorState validator={one} />}>
            {one.description.moniker || address}
          </Title>
          <Card title="Validator">
            <Pairs
              rows={[
                ['Operator', <Id id={address} whole what="operator" />],
                ['Account', operator !== undefined && <AccountId address={spellings(operator, prefix).bech32} />],
                [
                  'Consensus key',
                  one.consensus_pubkey !== null && <Id id={one.consensus_pubkey.key} whole what="key" />,
                ],
                ['Tokens', <Coins amount={BigInt(one.tokens)} />],
                ['Power', powerText(one)],
                ['Missed blocks', one.missed],
                [
                  'Commission',
                  `${percentText(one.commission.commission_rates.rate)}, at most ${percentText(one.commission.commission_rates.max_rate)}`,
                ],
                ['Website', one.description.website !== '' && <span class="text">{one.description.website}</span>],
                [
                  'Contact',
                  one.description.security_contact !== '' && (
                    <span class="text">{one.description.security_contact}</span>
                  ),
                ],
                ['Details', one.description.details !== '' && <span class="text">{one.description.details}</span>],
              ]}
            />
          </Card>
          <Card title="Rewards">
            <Shown answer={money}>
              {({ rewards, commission }) => (
                <Pairs
                  rows={[
                    ['Not withdrawn', coins(rewards)],
                    ['Of which commission', coins(commission)],
                  ]}
                />
              )}
            </Shown>
          </Card>
          <Card title="Delegations" id="list">
            <Shown answer={money}>
              {({ delegations, total }) => (
                <>
                  <Table
                    label="Delegations"
                    columns={['Delegator', '>Amount']}
                    rows={delegations.map(({ delegation, balance }) => ({
                      key: delegation.delegator_address,
                      cells: [<AccountId address={delegation.delegator_address} />, <CoinText {...balance} />],
                    }))}
                  />
                  {BigInt(total) > delegations.length && (
                    <p class="muted">
                      The first {delegations.length} of {total}.
                    </p>
                  )}
                </>
              )}
            </Shown>
          </Card>
        </>
      )}
    </Shown>
  );
}
