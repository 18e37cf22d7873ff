/** Reads a recipient file with the built reader and tells rows, time and memory; plain, so that nothing else is measured. */
const { readFileSync } = require('node:fs');
const { readRecipientFile } = require('../../../dist/libs/recipient-files/read-recipient-file.js');

async function main({ path, rows }) {
  const begun = performance.now();
  const options = { valueCount: 2, header: 'auto', duplicates: 'skip', maxRows: 1_000_000 };
  const { batches, summary } = readRecipientFile(path, options);
  for await (const { invalidRows } of batches) {
    if (invalidRows.length > 0) throw new Error(`row ${invalidRows[0].rowNumber}: ${invalidRows[0].message}`);
  }
  const read = (await summary).rows;
  if (read !== rows) throw new Error(`read ${read} rows instead of ${rows}`);
  const seconds = (performance.now() - begun) / 1000;
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  console.log(JSON.stringify({ rowsPerSecond: rows / seconds, megabytes: kilobytes / 1024 }));
}

main(JSON.parse(process.argv[2]));
