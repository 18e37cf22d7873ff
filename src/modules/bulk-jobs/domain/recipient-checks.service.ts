import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SeenPhones } from '../../groups/domain/seen-phones';
import { addErrors, type ReadBatch } from '../../recipient-files/domain/file-rows';
import type { RecipientTotals, RowError } from '../../recipient-files/domain/recipient-files.errors';
import { OptOutCheck } from '../../sending/domain/opt-out-check.service';
import type { FilledJob, JobSource } from './job-intake';
import { firstMoment } from './job-timing';
import { endOfSend, tierRoom } from './send-forecast';
import { SendForecasts } from './send-forecasts.service';

/** A recipient as it would be sent to. */
export interface SampleRecipient {
  rowNumber: number;
  phone: string;
  parameters: string[];
  /** The message. */
  renderedText: string;
}

/** When a job would be sent, if it were created now. */
export interface SendPlan {
  /** People with whom the business starts a conversation: those who count towards its messaging tier. */
  newConversations: number;
  /** People that the tier has room for now; null: any number. */
  tierRoom: number | null;
  /** From `startsAt` on; null while sending is paused, and for more than a year. */
  estimatedSeconds: number | null;
  startsAt: Date;
  endsAt: Date | null;
}

/** What a request would become; nothing was created. */
export interface RecipientCheck extends RecipientTotals {
  warnings: string[];
  /** The first errors in the order of the rows. */
  errors: RowError[];
  /** All errors, the most frequent code first. */
  errorsByCode: { code: RowError['code']; count: number }[];
  /** The first recipients that can be sent to. */
  sample: SampleRecipient[];
  /** Valid recipients that would be skipped. */
  optedOut: number;
  plan: SendPlan;
}

const MOST_ERRORS = 100;
const SAMPLE_SIZE = 20;

/** Checks recipients before a job is created. */
@Injectable()
export class RecipientChecks {
  constructor(
    private readonly optOuts: OptOutCheck,
    private readonly forecasts: SendForecasts,
    private readonly clock: Clock,
  ) {}

  /** Checks the recipients that `fill` hands to `take` in batches; rejects with the errors of `fill`. */
  async check(
    { sender, template, draft }: JobSource,
    fill: (take: (batch: ReadBatch) => Promise<void>) => Promise<FilledJob>,
  ): Promise<RecipientCheck> {
    const seen = new SeenPhones();
    const counts = new Map<RowError['code'], number>();
    const errors: RowError[] = [];
    const sample: SampleRecipient[] = [];
    let valid = 0;
    let invalidRows = 0;
    let optedOut = 0;
    let newConversations = 0;
    const filled = await fill(async ({ rows, invalidRows: bad }) => {
      valid += rows.length;
      invalidRows += bad.length;
      addErrors(errors, bad, MOST_ERRORS);
      for (const { code } of bad) counts.set(code, (counts.get(code) ?? 0) + 1);
      for (const { rowNumber, phone, values } of rows.slice(0, SAMPLE_SIZE - sample.length)) {
        sample.push({ rowNumber, phone, parameters: values, renderedText: template.render(values) });
      }
      const phones = rows.map(({ phone }) => phone);
      const out = await this.optOuts.among(draft.accountId, phones, draft.revisionId);
      const willing = phones.filter((phone) => !out.has(phone));
      optedOut += phones.length - willing.length;
      newConversations += await this.forecasts.newAmong(
        sender,
        willing.filter((phone) => seen.add(phone)),
      );
    });
    const limits = await this.forecasts.limitsOf(sender, null);
    const startsAt = firstMoment(draft, this.clock.now());
    const endsAt = endOfSend(startsAt, valid - optedOut, newConversations, limits, draft.sendWindow);
    const estimatedSeconds = endsAt && Math.ceil((endsAt.getTime() - startsAt.getTime()) / 1000);
    return {
      totalRecipients: valid + invalidRows,
      invalidRows,
      ...filled,
      errors,
      errorsByCode: [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count),
      sample,
      optedOut,
      plan: { newConversations, tierRoom: tierRoom(limits), estimatedSeconds, startsAt, endsAt },
    };
  }
}
