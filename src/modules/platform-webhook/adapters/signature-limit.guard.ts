import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../../infra/http/api-request';
import { clientAddress, clientKey } from '../../../infra/http/client-address';
import { FailedAttempts } from '../../../infra/http/limits/failed-attempts';

/** Answers 429 to an address from which too many invalid signatures came recently, before its body is read. */
@Injectable()
export class SignatureLimitGuard implements CanActivate {
  constructor(private readonly failures: FailedAttempts) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    this.failures.refuseIfTooMany('signature', clientKey(clientAddress(request)));
    return true;
  }
}
