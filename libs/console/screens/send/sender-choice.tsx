import { type ReactNode, useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { useSenders } from '../../app/senders';
import { t } from '../../language/translate';
import { Select } from '../../ui/select';

/** The sender of a send. */
export interface SenderChoice {
  /** Absent: the default sender. */
  senderId: string | undefined;
  /** Its number, if known. */
  sender: string | undefined;
  /** Selects another one. */
  field: ReactNode;
}

/**
 * The sender of a send, and the field that selects it: one of those that can send the template. Without a field if the account has one
 * sender, or the key may not list them; the service then uses the default. `preferred` is selected first.
 */
export function useSenderChoice(
  template: TemplateDto | null,
  preferred: string | null = null,
  onSelect?: (senderId: string) => void,
): SenderChoice {
  const senders = useSenders();
  const [selected, setSelected] = useState(preferred);
  const choices = (senders ?? []).flatMap(({ id, businessAccountId, displayPhoneNumber, phoneNumberId }) => {
    const canSend = template?.businessAccountId === undefined || template.businessAccountId === businessAccountId;
    return id !== undefined && canSend ? [{ value: id, label: displayPhoneNumber ?? phoneNumberId }] : [];
  });
  const known = choices.find(({ value }) => value === selected) ?? choices[0];
  const [only] = senders ?? [];
  // Until the senders are loaded, a send uses the one selected before rather than the default.
  const senderId = senders ? known?.value : (selected ?? undefined);
  const field = known && (
    <Select
      label={t('Send from')}
      value={known.value}
      choices={choices}
      onChange={(next) => {
        setSelected(next);
        onSelect?.(next);
      }}
    />
  );
  return { senderId, sender: known?.label ?? only?.displayPhoneNumber ?? only?.phoneNumberId, field };
}
