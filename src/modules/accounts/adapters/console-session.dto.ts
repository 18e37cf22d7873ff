import { IsString, Length } from 'class-validator';
import type { Scope } from '../../../kernel/caller';
import type { Account, AccountStatus } from '../domain/account';
import type { ApiKey } from '../domain/api-key';

/** Body of a sign-in to the console. */
export class SignInDto {
  @IsString()
  @Length(1, 1_000)
  apiKey: string;
}

/** The console session; not part of the OpenAPI document. */
export class ConsoleSessionDto {
  account: { id: string; name: string; plan: string; status: AccountStatus; sendingPaused: boolean };
  key: { id: string; name: string; prefix: string; scopes: readonly Scope[]; expiresAt: string | null };
  /** Time of the service, from which the console computes ages. */
  serverTime: string;

  static from(account: Account, key: ApiKey, now: Date): ConsoleSessionDto {
    const { id, name, plan, status, sendingPaused } = account;
    return {
      account: { id, name, plan, status, sendingPaused },
      key: {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        scopes: key.scopes,
        expiresAt: key.expiresAt?.toISOString() ?? null,
      },
      serverTime: now.toISOString(),
    };
  }
}
