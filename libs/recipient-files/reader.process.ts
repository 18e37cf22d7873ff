import { Reader } from './reader';
import type { CallerMessage, ReadRequest } from './reader-messages';

const reader = new Reader(JSON.parse(process.argv[2] ?? '') as ReadRequest, (message) => process.send?.(message));
process.on('message', (message) => {
  reader.receive(message as CallerMessage);
});
process.on('disconnect', () => {
  process.exit();
});
// The channel delivers pending messages before it closes.
void reader.run().finally(() => {
  process.disconnect();
});
