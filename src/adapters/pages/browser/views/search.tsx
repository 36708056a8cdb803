/** Search: goes to the one thing that a text names, lists several, and says when there is none. */
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { contractNames } from '../data/contracts.js';
import type { NodeFacts } from '../data/node-facts.js';
import { find } from '../data/search.js';
import { replace } from '../data/store.js';
import { Callout, Shown } from '../parts/answers.js';
import { To } from '../parts/ids.js';
import { Card, Title } from '../parts/layout.js';

/** Results of a search. */
export function SearchResults({ facts, text }: { facts: NodeFacts; text: string }) {
  const found = useAnswer(
    ['search', text],
    () => find(text, { prefix: facts.bech32_prefix, accounts: facts.accounts, contracts: contractNames() }),
    { isFixed: true },
  );
  const only = found.state === 'there' && found.value.length === 1 ? found.value[0] : undefined;
  useEffect(() => {
    if (only === undefined) return;
    replace(only.route);
  }, [only]);
  return (
    <>
      <Title kicker="Search">{text}</Title>
      <Shown answer={found}>
        {(list) =>
          list.length === 0 ? (
            <Callout>
              This chain has nothing of that name. The search takes hashes of transactions and blocks, heights,
              addresses as 0x… and {facts.bech32_prefix}1…, validators by address or name, proposals (
              <code>proposal 1</code>), denominations, and names of dev accounts and of contracts whose ABI was given.
            </Callout>
          ) : (
            <Card title="Found">
              <ul class="plain">
                {list.map(({ label, route }) => (
                  <li key={label}>
                    <To route={route}>{label}</To>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Shown>
    </>
  );
}
