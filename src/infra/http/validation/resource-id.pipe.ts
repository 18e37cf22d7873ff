import { Injectable, type PipeTransform } from '@nestjs/common';
import type { DomainError } from '../../../kernel/domain-error';
import { isUuid } from '../../../kernel/uuid';

/** Converts an id in a path to lower case; throws `NotFoundError` if it is not a UUID. */
@Injectable()
export class ResourceIdPipe implements PipeTransform<string, string> {
  constructor(private readonly NotFoundError: new () => DomainError) {}

  transform(id: string): string {
    if (!isUuid(id)) throw new this.NotFoundError();
    return id.toLowerCase();
  }
}
