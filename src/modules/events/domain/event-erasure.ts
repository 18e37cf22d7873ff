import { Injectable } from '@nestjs/common';
import { EventErasureStore, type StoredBody, type BodyPage } from './event-erasure-store.port';

/** The progress of an erasure: waiting rows of each endpoint, then its log. */
interface Position {
  endpointId: string;
  part: 'waiting' | 'log';
  last: string | null;
}

interface Person {
  accountId: string;
  phone: string | null;
  userId: string | null;
}

interface Event {
  data: Record<string, unknown>;
}

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';
const WAITING_BATCH = 50;
const LOGGED_BATCH = 2000;
/** Fields that identify a person or contain their words; the platform's id of a message contains the number. */
const PERSONAL = ['phone', 'userId', 'text', 'buttonPayload', 'flowResponse', 'platformMessageId'];

/** Erases a person from the bodies of waiting and logged events, by setting personal fields to null. */
@Injectable()
export class EventErasure {
  readonly name = 'events';

  constructor(private readonly store: EventErasureStore) {}

  /** One step; see ErasurePart. There is no index by person: all bodies of the account's endpoints of 7 days are searched. */
  async erase(person: Person, position: string | null): Promise<{ done: boolean; position?: string }> {
    const identifiers = [person.phone, person.userId].filter((one) => one !== null);
    const at = position === null ? null : (JSON.parse(position) as Position);
    if (at === null || (at.part === 'log' && at.last === null)) {
      const [endpointId] = await this.store.endpoints(person.accountId, at?.endpointId ?? null, 1);
      if (endpointId === undefined) return { done: true };
      return continueAt({ endpointId, part: 'waiting', last: '0' });
    }
    const { endpointId, part } = at;
    const texts = identifiers.flatMap((one) => [`"phone":"${one}"`, `"userId":"${one}"`]);
    const without = ({ id, text }: StoredBody): StoredBody => ({ id, text: withoutPerson(text, new Set(identifiers)) });
    if (part === 'waiting') {
      const { found, last } = await this.store.waiting(endpointId, texts, at.last, WAITING_BATCH);
      if (found.length > 0) await this.store.replaceWaiting(found.map(without));
      return continueAt(last === null ? { endpointId, part: 'log', last: FIRST } : { endpointId, part, last });
    }
    const { found, last }: BodyPage = await this.store.logged(endpointId, texts, at.last, LOGGED_BATCH);
    if (found.length > 0) await this.store.replaceLogged(found.map(without));
    return continueAt({ endpointId, part, last });
  }
}

function continueAt(position: Position): { done: false; position: string } {
  return { done: false, position: JSON.stringify(position) };
}

/** Erases the person from bodies, one per line; bodies without the person are unchanged, byte for byte. */
function withoutPerson(bodies: string, identifiers: ReadonlySet<unknown>): string {
  return bodies
    .split('\n')
    .map((body) => {
      const read = JSON.parse(body) as Event | { events: Event[] };
      const events = 'events' in read ? read.events : [read];
      const named = events.filter(({ data }) => identifiers.has(data.phone) || identifiers.has(data.userId));
      if (named.length === 0) return body;
      for (const { data } of named) for (const field of PERSONAL) if (field in data) data[field] = null;
      return JSON.stringify(read);
    })
    .join('\n');
}
