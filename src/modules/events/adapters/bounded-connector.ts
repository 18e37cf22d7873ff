import { buildConnector } from 'undici';

/** Maximum size of a response: interim responses, headers, body, trailers and framing. */
export const MAX_ANSWER_KB = 64;
const MAX_ANSWER_BYTES = MAX_ANSWER_KB * 1024;

/** An endpoint has sent more than MAX_ANSWER_KB since its request was written. */
export class AnswerTooLargeError extends Error {
  constructor() {
    super(`The endpoint sent a response of more than ${MAX_ANSWER_KB} KB`);
  }
}

/**
 * Connects like undici, and destroys a connection with AnswerTooLargeError once it has received more than MAX_ANSWER_KB since its last
 * request. undici limits the headers of one response, but neither the number of interim responses nor the bytes between chunks, all of
 * which cost processor time. Requires requests to be written in one piece and not pipelined.
 */
export function boundedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      let written = 0;
      let readBefore = 0;
      let readAtRequest = 0;
      const check = (): void => {
        if (socket!.bytesWritten !== written) readAtRequest = readBefore;
        written = socket!.bytesWritten;
        readBefore = socket!.bytesRead;
        if (readBefore - readAtRequest > MAX_ANSWER_BYTES) socket!.destroy(new AnswerTooLargeError());
      };
      // After undici's own listener, which must receive the data first.
      if (socket) setImmediate(() => socket.on('readable', check));
      callback(...result);
    });
}
