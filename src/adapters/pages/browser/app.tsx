/** The application: header, navigation and the view of the address. */
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import type { NodeFacts } from './data/node-facts.js';
import type { Route } from './data/router.js';
import { connection, facts, follow, generation, route, watchAddress } from './data/store.js';
import { listenForWallets } from './data/wallets.js';
import { Callout } from './parts/answers.js';
import { Title } from './parts/layout.js';
import { Header } from './parts/header.js';
import { Navigation } from './parts/navigation.js';
import { AccountView } from './views/account.js';
import { Api } from './views/api.js';
import { BlockView } from './views/block.js';
import { Blocks } from './views/blocks.js';
import { Changes } from './views/changes.js';
import { DenomView } from './views/denom.js';
import { Health } from './views/health.js';
import { Home } from './views/home.js';
import { Inside } from './views/inside.js';
import { LogView } from './views/log.js';
import { ProposalView } from './views/proposal.js';
import { Proposals } from './views/proposals.js';
import { SearchResults } from './views/search.js';
import { TransactionView } from './views/transaction.js';
import { Transactions } from './views/transactions.js';
import { Upgrades } from './views/upgrades.js';
import { Validators } from './views/validators.js';
import { ValidatorView } from './views/validator.js';

function View({ facts: known }: { facts: NodeFacts }) {
  const to = route.value;
  switch (to.view) {
    case 'home':
      return <Home facts={known} />;
    case 'blocks':
      return <Blocks />;
    case 'txs':
      return <Transactions facts={known} />;
    case 'search':
      return <SearchResults facts={known} text={to.text} />;
    case 'block':
      return <BlockView id={to.id} facts={known} />;
    case 'tx':
      return <TransactionView hash={to.hash} facts={known} />;
    case 'account':
      return <AccountView address={to.address} part={to.part} facts={known} />;
    case 'denom':
      return <DenomView denom={to.denom} />;
    case 'validators':
      return <Validators facts={known} />;
    case 'validator':
      return <ValidatorView address={to.address} facts={known} />;
    case 'proposals':
      return <Proposals />;
    case 'proposal':
      return <ProposalView id={to.id} facts={known} />;
    case 'upgrades':
      return <Upgrades />;
    case 'changes':
      return <Changes from={to.from} to={to.to} />;
    case 'api':
      return <Api method={to.method} facts={known} />;
    case 'health':
      return <Health facts={known} />;
    case 'log':
      return <LogView facts={known} />;
    case 'inside':
      return <Inside facts={known} />;
    case 'lost':
      return (
        <>
          <Title>Nothing here</Title>
          <Callout>The application has no view of that address. The search above finds blocks and accounts.</Callout>
        </>
      );
  }
}

/** The key tells views apart; the list of methods keeps its search from one method to the next. */
function keyOf(to: Route): string {
  return to.view === 'api' ? to.view : JSON.stringify(to);
}

function App() {
  const known = facts.value;
  useEffect(() => {
    const { view, ...ids } = route.value;
    const what = [view === 'home' ? '' : view, ...Object.values(ids).slice(0, 1)]
      .filter((part) => part !== '')
      .join(' ');
    document.title = [what, known?.chain_id ?? 'chronicled'].filter((part) => part !== '').join(' · ');
  }, [route.value, known]);
  return (
    <>
      <a class="skip" href="#view">
        Skip to the content
      </a>
      <Header />
      <Navigation />
      <main id="view" tabIndex={-1} aria-label="Content">
        {known === undefined ? (
          <p class="empty" role="status">
            {connection.value === 'connecting' ? 'Asking the node…' : ''}
          </p>
        ) : (
          <View key={`${generation.value} ${keyOf(route.value)}`} facts={known} />
        )}
      </main>
    </>
  );
}

const place = document.querySelector('#app');
if (place === null) throw new Error('invariant: the page has a place for the application');
place.replaceChildren();
watchAddress();
listenForWallets();
render(<App />, place);
void follow();
