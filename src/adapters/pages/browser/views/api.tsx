/**
 * Methods of all faces with search, forms, requests by other clients, and answers.
 * Asks: `rpc_discover`, `/openapi.json`, the root of the consensus RPC, and what the reader tries.
 */
import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { argumentsOf, type Method, readCatalogue, requestPath, searchMethods } from '../data/catalogue.js';
import { askAll } from '../data/ethereum.js';
import { exampleOf } from '../data/examples.js';
import { type Addresses, requestsOf } from '../data/method-requests.js';
import { faceAddress, type NodeFacts } from '../data/node-facts.js';
import { moment } from '../data/store.js';
import { messageOf } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { To } from '../parts/ids.js';
import { Card, Title } from '../parts/layout.js';
import { Badge, Code } from '../parts/values.js';

/** Methods that the list shows at once. */
const SHOWN = 60;

/** The view of all methods, or of one. */
export function Api({ method, facts }: { method: string; facts: NodeFacts }) {
  const [text, setText] = useState('');
  const catalogue = useAnswer(['catalogue'], readCatalogue, { isFixed: true });
  return (
    <>
      <Title kicker="API">{method === '' ? 'Methods of all faces' : method}</Title>
      <Shown answer={catalogue} lines={12}>
        {(methods) => {
          const chosen = methods.find(({ id }) => id === method);
          const found = searchMethods(methods, text);
          return (
            <div class={chosen === undefined ? 'split' : 'split chosen'}>
              <Card title={`${methods.length} methods`} id="methods">
                <input
                  type="search"
                  class="wide"
                  aria-label="Search methods"
                  placeholder="balance, trace, validators…"
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
                <ul class="plain methods">
                  {found.slice(0, SHOWN).map((one) => (
                    <li key={one.id}>
                      <To route={{ view: 'api', method: one.id }}>
                        <code>{one.id}</code>
                      </To>
                      <small class="muted">
                        {one.face}
                        {one.summary === '' ? '' : `: ${one.summary}`}
                      </small>
                    </li>
                  ))}
                </ul>
                {found.length > SHOWN && <p class="muted">and {found.length - SHOWN} more: search for one.</p>}
                {found.length === 0 && <p class="empty">No method has these words.</p>}
              </Card>
              <div>
                {chosen === undefined ? (
                  <Card title="Try one" id="try">
                    <p class="muted">
                      {method === ''
                        ? 'Choose a method: this page makes its form, shows the request by other clients, and calls it.'
                        : `No open face of this node has ${method}.`}
                    </p>
                  </Card>
                ) : (
                  <Try key={chosen.id} method={chosen} facts={facts} />
                )}
              </div>
            </div>
          );
        }}
      </Shown>
    </>
  );
}

function Try({ method, facts }: { method: Method; facts: NodeFacts }) {
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState<readonly string[]>(method.parameters.map(() => ''));
  const [answer, setAnswer] = useState<{ readonly text: string; readonly ms: number } | undefined>(undefined);
  const missing = method.parameters.filter(({ isRequired }, index) => isRequired && texts[index]?.trim() === '');
  const submit = (event: Event): void => {
    event.preventDefault();
    const start = performance.now();
    const done = (text: string): void => setAnswer({ text, ms: performance.now() - start });
    call(method, texts).then(done, (error: unknown) => done(messageOf(error)));
  };
  return (
    <Card title="Request" id="try" actions={<Badge kind="accent">{method.face}</Badge>}>
      {method.summary !== '' && <p>{method.summary}</p>}
      <form class="stack" ref={form} onSubmit={submit}>
        {method.parameters.map(({ name, type, isRequired }, index) => (
          <label key={name} class="field">
            <span>
              {name} <small class="muted">{`${type}${isRequired ? ', required' : ''}`}</small>
            </span>
            <input
              value={texts[index] ?? ''}
              required={isRequired}
              placeholder={exampleOf(type)}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setTexts(texts.with(index, event.currentTarget.value))}
            />
          </label>
        ))}
        {!method.canTry && (
          <Callout>
            This page does not send this request: it changes the chain, or needs a connection that stays.
          </Callout>
        )}
        <div class="row">
          <button class="primary" disabled={!method.canTry || missing.length > 0}>
            Call
          </button>
          {missing.length > 0 && <span class="muted">needs {missing.map(({ name }) => name).join(', ')}</span>}
        </div>
      </form>
      {requestsOf(method, texts, addressesOf(facts)).map(({ client, text }) => (
        <div key={client}>
          <h3>{client}</h3>
          <Code text={text} what={`request by ${client}`} />
        </div>
      ))}
      <div role="status">
        {answer !== undefined && (
          <>
            <h3>Answer after {Math.round(answer.ms)} ms</h3>
            <Code text={answer.text} what="answer" />
          </>
        )}
      </div>
    </Card>
  );
}

function addressesOf(facts: NodeFacts): Addresses {
  const { grpc } = facts.ports;
  return {
    ethereum: faceAddress(facts, 'eth_http', 'http') ?? '',
    consensus: faceAddress(facts, 'comet', 'http') ?? '',
    rest: faceAddress(facts, 'rest', 'http') ?? '',
    grpc: grpc === undefined ? '' : `${location.hostname}:${grpc}`,
  };
}

/** Longest answer that is shown, characters. */
const ANSWER_CHARACTERS = 200_000;

async function call(method: Method, texts: readonly string[]): Promise<string> {
  const shown = (value: unknown): string => {
    const text = JSON.stringify(value, undefined, 2) ?? 'null';
    return text.length > ANSWER_CHARACTERS
      ? `${text.slice(0, ANSWER_CHARACTERS)}\n… (${text.length} characters)`
      : text;
  };
  if (method.face === 'Ethereum') {
    const [result] = await askAll([{ method: method.target, params: argumentsOf(texts) }]);
    if (result === undefined) return 'no answer';
    return shown(
      result.ok ? result.value : { error: { code: result.code, message: result.message, data: result.data } },
    );
  }
  const door = method.face === 'REST' ? 'rest' : 'comet/';
  const heights = method.parameters.map(({ place }, index) => (place === 'header' ? (texts[index]?.trim() ?? '') : ''));
  const height = heights.find((one) => one !== '') ?? moment.value?.toString();
  const answer = await fetch(`/_page/${door}${requestPath(method, texts)}`, {
    headers: method.face === 'REST' && height !== undefined ? { 'x-cosmos-block-height': height } : {},
  });
  return shown(await answer.json());
}
