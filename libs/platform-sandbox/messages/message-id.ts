import { randomBytes } from 'node:crypto';

const DIRECTION = { outbound: 0x11, inbound: 0x12 } as const;
const UNIQUE_LENGTH = 18;
const COUNTER_LENGTH = 8;
const COUNTER_END = 0x1_0000_0000;
const SHAPE = /^wamid\.[A-Za-z0-9+/]{20,}={0,2}$/;

let prefix = '';
let counter = 0;

/**
 * A message id in the platform's format: base64 of the person's number, the direction and 18 hexadecimal digits. Ten of these
 * are random per process and eight are a counter, so ids are unique across restarts.
 */
export function newMessageId(person: string, direction: keyof typeof DIRECTION): string {
  if (counter === 0)
    prefix = randomBytes((UNIQUE_LENGTH - COUNTER_LENGTH) / 2)
      .toString('hex')
      .toUpperCase();
  counter = (counter + 1) % COUNTER_END;
  const unique = prefix + counter.toString(16).toUpperCase().padStart(COUNTER_LENGTH, '0');
  const head = `\x1c\x18${String.fromCharCode(person.length & 0xff)}${person}\x15\x02\x00`;
  const tail = `${String.fromCharCode(DIRECTION[direction])}\x18${String.fromCharCode(UNIQUE_LENGTH)}${unique}\x00`;
  return `wamid.${Buffer.from(head + tail, 'latin1').toString('base64')}`;
}

/** Whether a text looks like a message id of the platform. */
export function isMessageId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255 && SHAPE.test(value);
}
