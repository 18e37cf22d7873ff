import { Injectable } from '@nestjs/common';
import { EventErasureStore, type StoredBody, type WaitingPlace } from './event-erasure-store.port';

/** The progress of an erasure: through the waiting rows of each endpoint, then through the log. */
interface Position {
  /** Null: the log. */
  endpointId: string | null;
  /** The last row read, or the id of the last body; null: all rows of the endpoint. */
  last: WaitingPlace | string | null;
}

interface Person {
  accountId: string;
  phone: string | null;
  userId: string | null;
}

interface Event {
  data: Record<string, unknown>;
}

const START: Position = { endpointId: null, last: null };
/** Before every row and every body. */
const FIRST_ROW: WaitingPlace = { nextAt: '-infinity', id: '0' };
const FIRST_BODY = '00000000-0000-0000-0000-000000000000';
const WAITING_BATCH = 500;
const LOGGED_BATCH = 500;
/** Fields that identify a person or contain their words; the platform's id of a message contains the number. */
const PERSONAL = ['phone', 'userId', 'text', 'buttonPayload', 'flowResponse', 'platformMessageId'];

/** Erases a person from the bodies of waiting and logged events, by setting personal fields to null. */
@Injectable()
export class EventErasure {
  readonly name = 'events by person';

  constructor(private readonly store: EventErasureStore) {}

  /** One step; see ErasurePart. Waiting rows have no index by person, which every recorded message would have to maintain: they are searched. */
  async erase(person: Person, position: string | null): Promise<{ done: boolean; position?: string }> {
    const { accountId } = person;
    const people = [person.phone, person.userId].filter((one) => one !== null);
    const without = ({ id, text }: StoredBody): StoredBody => ({ id, text: withoutPerson(text, new Set(people)) });
    const { endpointId, last } = position === null ? START : (JSON.parse(position) as Position);
    if (last === null) {
      const next = await this.store.nextEndpoint(accountId, endpointId);
      return continueAt(next === null ? { endpointId: null, last: FIRST_BODY } : { endpointId: next, last: FIRST_ROW });
    }
    if (endpointId !== null && typeof last !== 'string') {
      const texts = people.flatMap((one) => [`"phone":"${one}"`, `"userId":"${one}"`]);
      const page = await this.store.waiting(endpointId, texts, last, WAITING_BATCH);
      if (page.found.length > 0) await this.store.replaceWaiting(page.found.map(without));
      return continueAt({ endpointId, last: page.last });
    }
    const logged = await this.store.logged(accountId, people, last as string, LOGGED_BATCH);
    if (logged.length > 0) await this.store.replaceLogged(logged.map(without));
    return logged.length < LOGGED_BATCH ? { done: true } : continueAt({ endpointId, last: logged.at(-1)!.id });
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
