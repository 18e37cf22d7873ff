import { Injectable, type PipeTransform } from '@nestjs/common';
import { isUuid } from '../../kernel/uuid';
import { ResourceNotFoundError } from './http.errors';

/** An id in a path, in lower case; what is no UUID is answered as an unknown id: 404 `<resource>_not_found`. */
@Injectable()
export class ResourceIdPipe implements PipeTransform<string, string> {
  constructor(private readonly resource: string) {}

  transform(id: string): string {
    if (!isUuid(id)) throw new ResourceNotFoundError(this.resource);
    return id.toLowerCase();
  }
}
