import type { SenderDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** A messaging tier in words. */
export function tierLabel(tier: SenderDto['messagingTier']): string {
  return tier === 'Unlimited'
    ? t('Unlimited')
    : t('{count, number} new conversations per 24 hours', { count: Number(tier) });
}
