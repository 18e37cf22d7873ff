import { Injectable } from '@nestjs/common';
import { SenderNotReachableError } from './accounts.errors';
import { type NumberAccess, NumberRefusedError, NumberUnavailableError, PlatformNumber } from './platform-number.port';
import type { Sender, SenderFields } from './sender';

/** Checks the phone numbers of senders with the platform before they are stored. */
@Injectable()
export class SenderChecks {
  constructor(private readonly number: PlatformNumber) {}

  /** Throws SenderNotReachableError. */
  async requireReachable(access: NumberAccess): Promise<void> {
    try {
      await this.number.stateOf(access);
    } catch (error) {
      if (!(error instanceof NumberUnavailableError)) throw error;
      throw new SenderNotReachableError(access.phoneNumberId, error.message, error instanceof NumberRefusedError);
    }
  }
}

/** The access to check with the platform after a change of number, token or app secret; null for other changes. */
export function changedAccess(before: Sender | null, change: Partial<SenderFields> = {}): NumberAccess | null {
  const { accessToken = before?.accessToken ?? null, appSecret = before?.appSecret ?? null } = change;
  if ([change.phoneNumberId, change.accessToken, change.appSecret].every((value) => value === undefined)) return null;
  const phoneNumberId = change.phoneNumberId ?? before?.phoneNumberId;
  if (phoneNumberId === undefined) return null;
  return { phoneNumberId, accessToken, appSecret };
}

/** Clears the display number if the phone number changes; it is read from the platform again. */
export function withoutOldDisplayNumber(before: Sender, change: Partial<SenderFields>): Partial<SenderFields> {
  const { phoneNumberId } = change;
  if (phoneNumberId === undefined || phoneNumberId === before.phoneNumberId) return change;
  return { displayPhoneNumber: null, ...change };
}
