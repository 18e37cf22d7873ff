import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { personByKey } from '../../groups/domain/opt-out';
import { SeenPeople } from '../../groups/domain/seen-people';
import { addErrors, type ReadBatch, type RowExtras } from '../../recipient-files/domain/file-rows';
import type { RecipientTotals, RowError } from '../../recipient-files/domain/recipient-files.errors';
import { OptOutCheck } from '../../sending/domain/opt-out-check';
import type { JobSource } from './job-intake';
import { firstMoment } from './job-timing';
import { endOfSend, tierRoom } from './send-forecast';
import { SendForecasts } from './send-forecasts';

/** A recipient with its rendered message. */
export interface SampleRecipient {
  rowNumber: number;
  phone: string | null;
  /** Absent: not given. */
  userId?: string;
  parameters: string[];
  /** Header media, payloads and the like of this recipient alone; absent: none. */
  extras?: RowExtras;
  /** The text of the message. */
  renderedText: string;
  /** The person has opted out and would be skipped; absent: not. */
  optedOut?: true;
}

/** When a job created now would be sent. */
export interface SendPlan {
  /** People with whom the business starts a conversation, who count towards its messaging tier. */
  newConversations: number;
  /** Number of people the tier still allows now; null: unlimited. */
  tierRoom: number | null;
  /** From `startsAt`; null while sending is paused, and for more than a year. */
  estimatedSeconds: number | null;
  startsAt: Date;
  endsAt: Date | null;
}

/** The preview of a request; nothing is created. */
export interface RecipientCheck extends RecipientTotals {
  warnings: string[];
  /** The first errors in the order of the rows. */
  errors: RowError[];
  /** All errors, the most frequent code first. */
  errorsByCode: { code: RowError['code']; count: number }[];
  /** The first valid recipients, including those who would be skipped. */
  sample: SampleRecipient[];
  /** Valid recipients that would be skipped. */
  optedOut: number;
  /** Contacts or rows left out by `excludeGroupIds` or `notReachedBy`; absent without both. */
  leftOut?: number;
  plan: SendPlan;
}

const MAX_ERRORS = 100;
const SAMPLE_SIZE = 20;
/** People whose row is remembered, to name it beside the first repeated one. */
const MOST_ROWS_NAMED = 10_000;

/** Checks recipients before a job is created. */
@Injectable()
export class RecipientChecks {
  constructor(
    private readonly optOuts: OptOutCheck,
    private readonly forecasts: SendForecasts,
    private readonly clock: Clock,
  ) {}

  /** Checks recipients; rejects with the errors of `batches`. */
  async check(
    { sender, template, draft }: JobSource,
    batches: AsyncIterable<ReadBatch>,
  ): Promise<Omit<RecipientCheck, 'duplicateRows'>> {
    const seen = new SeenPeople();
    const counts = new Map<RowError['code'], number>();
    const errors: RowError[] = [];
    const sample: SampleRecipient[] = [];
    let valid = 0;
    let invalidRows = 0;
    let optedOut = 0;
    let newConversations = 0;
    const repeated: RepeatedRows = { rows: 0, first: 0, earlier: null };
    const rowOf = new Map<string, number>();
    for await (const { rows, invalidRows: bad } of batches) {
      valid += rows.length;
      invalidRows += bad.length;
      addErrors(errors, bad, MAX_ERRORS);
      for (const { code } of bad) counts.set(code, (counts.get(code) ?? 0) + 1);
      const recipients = rows.map(({ rowNumber, phone, userId = null }) => ({ rowNumber, person: phone, userId }));
      const newRecipients = recipients.filter(({ person, userId, rowNumber }) => {
        const isNewPerson = seen.add(person);
        const isNewUserId = userId === null || seen.add(userId);
        if (isNewPerson && isNewUserId) {
          if (rowOf.size < MOST_ROWS_NAMED) for (const key of [person, userId ?? person]) rowOf.set(key, rowNumber);
          return true;
        }
        if (repeated.rows++ === 0) {
          repeated.first = rowNumber;
          repeated.earlier = rowOf.get(isNewPerson ? (userId ?? person) : person) ?? null;
        }
        return false;
      });
      const skipped = await this.optOuts.among(draft.accountId, recipients, draft.revisionId);
      for (const [index, row] of rows.slice(0, SAMPLE_SIZE - sample.length).entries()) {
        const { rowNumber, values, extras } = row;
        const { phone, userId } = personByKey(row.phone, row.userId);
        sample.push({
          ...{ rowNumber, phone, ...(userId !== null && { userId }), parameters: values, ...(extras && { extras }) },
          renderedText: template.render(values),
          ...(skipped.has(recipients[index]!) && { optedOut: true }),
        });
      }
      optedOut += skipped.size;
      newConversations += await this.forecasts.newAmong(
        sender,
        newRecipients.filter((recipient) => !skipped.has(recipient)).map(({ person }) => person),
      );
    }
    const limits = await this.forecasts.limitsOf(sender, null);
    const startsAt = firstMoment(draft, this.clock.now());
    const endsAt = endOfSend(startsAt, valid - optedOut, newConversations, limits, draft.sendWindow);
    const estimatedSeconds = endsAt && Math.ceil((endsAt.getTime() - startsAt.getTime()) / 1000);
    return {
      totalRecipients: valid + invalidRows,
      invalidRows,
      errors,
      errorsByCode: [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count),
      sample,
      optedOut,
      warnings: repeatedWarnings(repeated),
      plan: { newConversations, tierRoom: tierRoom(limits), estimatedSeconds, startsAt, endsAt },
    };
  }
}

/** Rows for people who have a row above with other contents. */
interface RepeatedRows {
  rows: number;
  first: number;
  /** The row above the first one; null: not remembered. */
  earlier: number | null;
}

function repeatedWarnings({ rows, first, earlier }: RepeatedRows): string[] {
  if (rows === 0) return [];
  const pair = earlier === null ? '' : `The person of row ${first} is also in row ${earlier}. `;
  return [
    `repeated_people: ${rows} ${rows === 1 ? 'row is' : 'rows are'} for a person who has a row above with other contents, first row ${first}: these ` +
      `people get several messages. ${pair}Send with onDuplicates=onePerPerson, or remove the rows, unless this is intended.`,
  ];
}
