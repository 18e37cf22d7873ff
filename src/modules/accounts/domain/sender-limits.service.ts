import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { DomainError } from '../../../kernel/domain-error';
import { PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccessTokenRefusedError, NumberNotShownError } from './accounts.errors';
import { NumberRefusedError, NumberUnavailableError, PlatformNumber } from './platform-number.port';
import type { Sender } from './sender';
import { SendersService } from './senders.service';

/** Minimum time between two requested readings of a sender. */
const MIN_REQUEST_INTERVAL_MS = 10_000;

/** A requested reading and the access it used; `result` null: success. */
interface Reading extends Pick<Sender, 'phoneNumberId' | 'accessToken' | 'appSecret'> {
  result: Promise<DomainError | null>;
  /** Until when further requests get its result; infinite while it is running. */
  until: number;
}

/** Reads the state of a sender from the platform: message rate, messaging tier, quality, display number, validity of its token. */
@Injectable()
export class SenderLimitsService {
  private readonly requested = new Map<string, Reading>();

  constructor(
    private readonly senders: SendersService,
    private readonly number: PlatformNumber,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the sender and records its state, or the refusal of its token. Returns whether the limits have changed. Rejects with NumberUnavailableError.
   */
  async read(sender: Sender): Promise<boolean> {
    try {
      const state = await this.number.stateOf(sender);
      await this.senders.recordReading(sender, {
        ...{ at: this.clock.now(), qualityRating: state.qualityRating, problem: null },
      });
      if (state.displayPhoneNumber !== null) await this.senders.recordDisplayNumber(sender, state.displayPhoneNumber);
      return await this.senders.recordLimits(sender, state);
    } catch (error) {
      if (error instanceof NumberRefusedError && error.problem) {
        const { qualityRating } = sender;
        this.senders.recordRefusal(sender, error.problem);
        await this.senders.recordReading(sender, { at: this.clock.now(), qualityRating, problem: error.problem });
      }
      throw error;
    }
  }

  /**
   * Reads the senders of an account on request. Concurrent requests share a reading, and this process reuses its result for 10 s,
   * unless the sender's token, secret or number has changed. One that cannot be read does not prevent the reading of the others.
   *
   * Throws AccountWithoutSenderError and, for the first sender that cannot be read, AccessTokenRefusedError, NumberNotShownError, PlatformUnavailableError.
   */
  async readAtRequest(accountId: string): Promise<void> {
    await this.senders.ofAccount(accountId);
    const all = await this.senders.allOf(accountId);
    const errors = await Promise.all(all.map((sender) => this.resultOf(sender)));
    const error = errors.find((one) => one !== null);
    if (error) throw error;
  }

  private resultOf(sender: Sender): Promise<DomainError | null> {
    const previous = this.requested.get(sender.id);
    const isCurrent = previous && hasSameAccess(sender, previous) && this.clock.monotonic() < previous.until;
    return (isCurrent ? previous : this.start(sender)).result;
  }

  private start(sender: Sender): Reading {
    const { phoneNumberId, accessToken, appSecret } = sender;
    const result = this.read(sender).then(() => null, domainErrorOf);
    const reading: Reading = { phoneNumberId, accessToken, appSecret, result, until: Infinity };
    this.requested.set(sender.id, reading);
    const keepFor = (ms: number) => (): void => {
      reading.until = this.clock.monotonic() + ms;
    };
    // Failures of this service, such as an unavailable database, are not kept.
    result.then(keepFor(MIN_REQUEST_INTERVAL_MS), keepFor(0));
    return reading;
  }
}

function hasSameAccess(sender: Sender, reading: Reading): boolean {
  return (['phoneNumberId', 'accessToken', 'appSecret'] as const).every((field) => sender[field] === reading[field]);
}

/** Maps errors of the platform for callers of the API; rethrows all others. */
function domainErrorOf(error: unknown): DomainError {
  if (!(error instanceof NumberUnavailableError)) throw error;
  if (!(error instanceof NumberRefusedError)) {
    return new PlatformUnavailableError(`The limits could not be read from the platform: ${error.message}`);
  }
  return error.problem
    ? new AccessTokenRefusedError(error.problem, error.platformCode)
    : new NumberNotShownError(error.message, error.platformCode);
}
