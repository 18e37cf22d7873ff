import { Injectable } from '@nestjs/common';
import { areRangesWithin } from '../../../infra/http/access/client-address';
import { AddressRanges } from '../domain/address-ranges.port';

/** IPv4 and IPv6 ranges. */
@Injectable()
export class IpAddressRanges extends AddressRanges {
  areWithin(inner: readonly string[], outer: readonly string[]): boolean {
    return areRangesWithin(inner, outer);
  }
}
