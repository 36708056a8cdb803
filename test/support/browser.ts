/** A headless browser of the system, driven over the DevTools protocol. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { WebSocket } from 'ws';
import { afterFile, afterwards, temporaryFolder } from './temporary.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome-headless-shell'];

/** Path of a Chromium on this machine; undefined where there is none. `CHRONICLED_BROWSER` names another one. */
export const BROWSER = process.env['CHRONICLED_BROWSER'] ?? find();

/** Codes of keys that the browser acts on. */
const KEY_CODES: Readonly<Record<string, number>> = { Enter: 13, Tab: 9 };

export interface Page {
  /** Value of an expression in the page; promises are awaited. Rejects with the text of its exception. */
  evaluate(expression: string): Promise<unknown>;
  /** Resolves when an expression in the page is true. */
  until(expression: string): Promise<void>;
  /** Gives the window this width in pixels. */
  resize(width: number): Promise<void>;
  /** Opens another address in the same window. */
  go(url: string): Promise<void>;
  /** Shows the page to a reader who prefers this scheme of colours. */
  scheme(scheme: 'light' | 'dark'): Promise<void>;
  /** The window as a PNG, as high as the page but at most `most` pixels. */
  picture(most: number): Promise<Buffer>;
  /** Presses and releases a key, such as `Enter` or `Tab`. */
  press(key: string): Promise<void>;
  /** Exceptions, errors of the console, and violations of the policy since the page was opened. */
  readonly problems: readonly string[];
  /** Addresses of all requests since the page was opened. */
  readonly requests: readonly string[];
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

function find(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The browser of the running file: its start costs as much as the pages of a test. */
let browser: Promise<DevTools> | undefined;

/**
 * Opens a page with storage, cookies and a cache of its own, which ends with the test. `before` runs in the page before
 * its own scripts.
 */
export async function openPage(url: string, before = ''): Promise<Page> {
  browser ??= launch().then(connect);
  const devTools = await browser;
  const problems: string[] = [];
  const requests: string[] = [];
  const { browserContextId } = await devTools.ask('Target.createBrowserContext', {});
  afterwards(() => devTools.ask('Target.disposeBrowserContext', { browserContextId }).then(() => undefined));
  const { targetId } = await devTools.ask('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await devTools.ask('Target.attachToTarget', { targetId, flatten: true });
  devTools.heard.set(String(sessionId), (method, params) => {
    if (method === 'Network.requestWillBeSent')
      requests.push((params as { readonly request: { readonly url: string } }).request.url);
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') problems.push(JSON.stringify(params));
  });
  const ask = (method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> =>
    devTools.ask(method, params, String(sessionId));
  await Promise.all([ask('Runtime.enable'), ask('Log.enable'), ask('Page.enable'), ask('Network.enable')]);
  await ask('Page.addScriptToEvaluateOnNewDocument', { source: before });
  await ask('Page.navigate', { url });
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as { readonly value?: unknown }).value;
  };
  return {
    evaluate,
    async until(expression) {
      // A navigation ends what runs in the page; the next evaluation then looks at the new one.
      for (let met: unknown = false; met !== true;)
        met = await evaluate(
          `new Promise((done, failed) => { const look = () => Promise.resolve(${expression}).then((is) => (is ? done(true) : setTimeout(look, 20)), failed); look(); })`,
        ).catch(() => false);
    },
    async resize(width) {
      await ask('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    },
    async go(next) {
      await ask('Page.navigate', { url: next });
    },
    async scheme(value) {
      await ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    },
    async picture(most) {
      const [width, height] = (await evaluate('[innerWidth, document.documentElement.scrollHeight]')) as readonly [
        number,
        number,
      ];
      await ask('Emulation.setDeviceMetricsOverride', {
        width,
        height: Math.min(height, most),
        deviceScaleFactor: 1,
        mobile: false,
      });
      const { data } = await ask('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(String(data), 'base64');
    },
    async press(key) {
      const text = key === 'Enter' ? { text: '\r' } : {};
      for (const type of ['keyDown', 'keyUp'])
        await ask('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: KEY_CODES[key], ...text });
    },
    problems,
    requests,
  };
}

/** Starts a browser, which ends with the file; resolves with the address of its DevTools. */
function launch(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(BROWSER ?? '', [
      '--headless',
      '--hide-scrollbars',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--remote-debugging-port=0',
      `--user-data-dir=${temporaryFolder(afterFile)}`,
      'about:blank',
    ]);
    let output = '';
    const ended = new Promise<void>((done) => child.once('close', () => done()));
    afterFile(async () => {
      browser = undefined;
      child.kill('SIGKILL');
      await ended;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`the browser ended: ${output.slice(-1_000)}`)));
  });
}

interface DevTools {
  /** Consumers of the events of each session, by its id. */
  readonly heard: Map<string, (method: string, params: unknown) => void>;
  ask(method: string, params: object, sessionId?: string): Promise<Readonly<Record<string, unknown>>>;
}

function connect(address: string): Promise<DevTools> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const waiting = new Map<number, (message: Message) => void>();
    let asked = 0;
    const tools: DevTools = {
      heard: new Map(),
      ask: (method, params, sessionId) =>
        new Promise((done, failed) => {
          asked += 1;
          waiting.set(asked, ({ result = {}, error }) =>
            error === undefined ? done(result) : failed(new Error(`${method}: ${error.message}`)),
          );
          socket.send(JSON.stringify({ id: asked, method, params, ...(sessionId && { sessionId }) }));
        }),
    };
    socket.on('message', (data: Buffer) => {
      const message: Message = JSON.parse(data.toString());
      if (message.id === undefined) tools.heard.get(message.sessionId ?? '')?.(message.method ?? '', message.params);
      else waiting.get(message.id)?.(message);
    });
    socket.on('open', () => resolve(tools));
    socket.on('error', reject);
  });
}
