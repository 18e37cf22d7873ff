import { Injectable } from '@nestjs/common';
import { EventErasureStore, type KeptBody, type WalkedBodies } from './event-erasure-store.port';

/** Where a walk has come to: rows that wait come before the log. */
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
const WAITING_AT_ONCE = 50;
const LOGGED_AT_ONCE = 2000;
/** What names a person or is from the person; the platform's id of a message contains the number. */
const PERSONAL = ['phone', 'userId', 'text', 'platformMessageId'];

/** Erases a person from the bodies of events that wait for their delivery or are in the log: there they are null. */
@Injectable()
export class EventErasure {
  readonly name = 'events';

  constructor(private readonly store: EventErasureStore) {}

  /** One step; see ErasurePart. There is no index by person: all that the account's endpoints got in 7 days is looked at. */
  async erase(person: Person, position: string | null): Promise<{ done: boolean; position?: string }> {
    const people = [person.phone, person.userId].filter((one) => one !== null);
    const at = position === null ? null : (JSON.parse(position) as Position);
    if (at === null || (at.part === 'log' && at.last === null)) {
      const [endpointId] = await this.store.endpoints(person.accountId, at?.endpointId ?? null, 1);
      if (endpointId === undefined) return { done: true };
      return goOn({ endpointId, part: 'waiting', last: '0' });
    }
    const { endpointId, part } = at;
    const texts = people.flatMap((one) => [`"phone":"${one}"`, `"userId":"${one}"`]);
    const without = ({ id, text }: KeptBody): KeptBody => ({ id, text: withoutPeople(text, new Set(people)) });
    if (part === 'waiting') {
      const { found, last } = await this.store.waiting(endpointId, texts, at.last, WAITING_AT_ONCE);
      if (found.length > 0) await this.store.replaceWaiting(found.map(without));
      return goOn(last === null ? { endpointId, part: 'log', last: FIRST } : { endpointId, part, last });
    }
    const { found, last }: WalkedBodies = await this.store.logged(endpointId, texts, at.last, LOGGED_AT_ONCE);
    if (found.length > 0) await this.store.replaceLogged(found.map(without));
    return goOn({ endpointId, part, last });
  }
}

function goOn(position: Position): { done: false; position: string } {
  return { done: false, position: JSON.stringify(position) };
}

/** The bodies, one in each line; those that do not name these people stay as they are, byte by byte. */
function withoutPeople(bodies: string, people: ReadonlySet<unknown>): string {
  return bodies
    .split('\n')
    .map((body) => {
      const read = JSON.parse(body) as Event | { events: Event[] };
      const events = 'events' in read ? read.events : [read];
      const named = events.filter(({ data }) => people.has(data.phone) || people.has(data.userId));
      if (named.length === 0) return body;
      for (const { data } of named) for (const field of PERSONAL) if (field in data) data[field] = null;
      return JSON.stringify(read);
    })
    .join('\n');
}
