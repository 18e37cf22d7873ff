import type { SendPlanDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { plannedTime } from '../../ui/format';
import { endOf, isTime, type SendOptions, startOf } from './send-options';

/** Validation message for the end of an offer, the value of a `datetime-local` input; null if valid. */
export function problemOfOfferEnd(ends: string, now: Date): string | null {
  if (!isTime(ends)) return t('Enter a date and time.');
  return new Date(ends) <= now ? t('This time is in the past. Choose a later end.') : null;
}

/** How the schedule of a send fits an offer that ends at `endsAt` (ISO 8601): what prevents it, and what to be aware of. */
export function offerTiming(
  endsAt: string | undefined,
  { options, plan }: { options: SendOptions; plan: SendPlanDto },
  now: Date,
): { problem: string | null; caution: string | null } {
  const fits = { problem: null, caution: null };
  if (endsAt === undefined) return fits;
  const ends = new Date(endsAt);
  const end = plannedTime(ends);
  if (ends <= now) return { ...fits, problem: t('The offer ended on {end}. Choose a later end.', { end }) };
  const start = startOf(options, plan.startsAt, now);
  if (start && start >= ends) {
    return {
      ...fits,
      problem: t('Sending would start on {start}, after the end of the offer on {end}. Change one of them.', {
        ...{ start: plannedTime(start), end },
      }),
    };
  }
  if (options.hold) {
    return {
      ...fits,
      caution: t('The offer ends on {end}. Send the job early enough: messages whose turn comes later fail.', { end }),
    };
  }
  const last = endOf(plan, now);
  if (last && last <= ends) return fits;
  return {
    ...fits,
    caution: last
      ? t(
          'The offer ends on {end}, the last message is sent around {last}. Messages whose turn comes after the end fail.',
          { end, last: plannedTime(last) },
        )
      : t(
          'The offer ends on {end}, and it is not known when the last message is sent. Messages whose turn comes after the end fail.',
          { end },
        ),
  };
}
