import { createHash } from 'node:crypto';

const MEXICAN = /^52([2-9]\d{9})$/;
/** Mobile numbers of the area codes from 31, which the platform knows without their ninth digit. */
const BRAZILIAN = /^(55[3-9]\d)9(\d{8})$/;

/** The platform's form of a number (`wa_id`): Mexican numbers have a 1, Brazilian ones of most areas no ninth digit. */
export function waIdOf(phone: string): string {
  return phone.replace(MEXICAN, '521$1').replace(BRAZILIAN, '$1$2');
}

/** The business-scoped user id of the person with this number. */
export function userIdOf(phone: string): string {
  return `DE.${BigInt(`0x${createHash('sha256').update(waIdOf(phone)).digest('hex').slice(0, 16)}`)}`;
}
