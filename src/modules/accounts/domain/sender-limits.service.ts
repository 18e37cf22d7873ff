import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { DomainError } from '../../../kernel/domain-error';
import { PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccessTokenRefusedError, NumberNotShownError } from './accounts.errors';
import { NumberRefusedError, NumberUnavailableError, PlatformNumber } from './platform-number.port';
import type { Sender } from './sender';
import { SendersService } from './senders.service';

/** Two requested readings of a sender are at least this far apart. */
const REQUESTED_APART_MS = 10_000;

/** A requested reading, with the access that it was made with; `result` null: it succeeded. */
interface Reading extends Pick<Sender, 'phoneNumberId' | 'accessToken' | 'appSecret'> {
  result: Promise<DomainError | null>;
  /** Until when its result is the answer to further requests; infinite while it is under way. */
  until: number;
}

/** Reads what the platform knows of a sender: message rate, messaging tier, quality, readable number, whether its token works. */
@Injectable()
export class SenderLimitsService {
  private readonly requested = new Map<string, Reading>();

  constructor(
    private readonly senders: SendersService,
    private readonly number: PlatformNumber,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the sender now and records the answer, or that its token was refused. Returns whether the limits have changed.
   * Rejects with NumberUnavailableError.
   */
  async read(sender: Sender): Promise<boolean> {
    try {
      const state = await this.number.stateOf(sender);
      this.senders.noteAccess(sender);
      this.senders.noteQuality(sender.id, state.qualityRating);
      if (state.displayPhoneNumber !== null) await this.senders.recordDisplayNumber(sender, state.displayPhoneNumber);
      return await this.senders.recordLimits(sender.id, state);
    } catch (error) {
      if (error instanceof NumberRefusedError && error.problem) this.senders.noteRefusal(sender, error.problem);
      throw error;
    }
  }

  /**
   * Reads the sender of an account at a request. Concurrent requests share a reading, and within 10 s of it this process
   * gives its result again, unless the sender has another token, secret or number since.
   *
   * Throws AccountWithoutSenderError, AccessTokenRefusedError, NumberNotShownError, PlatformUnavailableError.
   */
  async readAtRequest(accountId: string): Promise<void> {
    const sender = await this.senders.ofAccount(accountId);
    const known = this.requested.get(sender.id);
    const isCurrent = known && isOf(sender, known) && this.clock.monotonic() < known.until;
    const error = await (isCurrent ? known : this.begin(sender)).result;
    if (error) throw error;
  }

  private begin(sender: Sender): Reading {
    const { phoneNumberId, accessToken, appSecret } = sender;
    const result = this.read(sender).then(() => null, domainErrorOf);
    const reading: Reading = { phoneNumberId, accessToken, appSecret, result, until: Infinity };
    this.requested.set(sender.id, reading);
    const isKnownFor = (ms: number) => (): void => {
      reading.until = this.clock.monotonic() + ms;
    };
    // A failure that is not the platform's, such as the database's, is no result.
    result.then(isKnownFor(REQUESTED_APART_MS), isKnownFor(0));
    return reading;
  }
}

function isOf(sender: Sender, reading: Reading): boolean {
  return (['phoneNumberId', 'accessToken', 'appSecret'] as const).every((field) => sender[field] === reading[field]);
}

/** What a caller of the API is told; throws what says nothing about the platform. */
function domainErrorOf(error: unknown): DomainError {
  if (!(error instanceof NumberUnavailableError)) throw error;
  if (!(error instanceof NumberRefusedError)) {
    return new PlatformUnavailableError(`The limits could not be read from the platform: ${error.message}`);
  }
  return error.problem
    ? new AccessTokenRefusedError(error.problem, error.platformCode)
    : new NumberNotShownError(error.message, error.platformCode);
}
