/**
 * An indexer with the EVM processor of Subsquid: `node main.js PORT`, with the chain's address in CHRONICLE and a
 * token's in TOKEN. It keeps the token's transfers in memory and answers them as JSON: value and hash of their block.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { EvmBatchProcessor } = createRequire(import.meta.url)('@subsquid/evm-processor');
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

let rows = [];
const store = { add: (row) => rows.push(row) };
/** Blocks above a block are taken back before others take their place. */
const backTo = ({ height }) => (rows = rows.filter((row) => row.height <= height));
const database = {
  supportsHotBlocks: true,
  connect: async () => ({ height: -1, hash: '0x', top: [] }),
  async transact({ prevHead }, process) {
    backTo(prevHead);
    await process(store);
  },
  async transactHot({ baseHead, newBlocks }, process) {
    backTo(baseHead);
    for (const block of newBlocks) await process(store, block);
  },
};

createServer((_, response) => response.end(JSON.stringify(rows.map(({ value, hash }) => [value, hash])))).listen(
  Number(process.argv[2]),
  '127.0.0.1',
);
new EvmBatchProcessor()
  .setRpcEndpoint(process.env.CHRONICLE)
  .setRpcDataIngestionSettings({ headPollInterval: 100 })
  .setFinalityConfirmation(5)
  .setFields({ log: { data: true } })
  .addLog({ address: [process.env.TOKEN.toLowerCase()], topic0: [TRANSFER], range: { from: 0 } })
  .run(database, async ({ blocks, store: rowsOfBatch }) => {
    for (const { header, logs } of blocks)
      for (const { data } of logs)
        rowsOfBatch.add({ height: header.height, hash: header.hash, value: BigInt(data).toString() });
  });
