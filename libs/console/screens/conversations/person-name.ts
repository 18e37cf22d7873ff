import type { ConversationDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { phoneText } from '../../ui/phone-text';

/** Display name of a person: name, phone number, username or platform id. */
export function nameOf(person: Pick<ConversationDto, 'contactName' | 'contactPhone' | 'username' | 'userId'>): string {
  return (
    person.contactName ??
    (person.contactPhone
      ? phoneText(person.contactPhone)
      : (person.username ?? person.userId ?? t('Unknown', {}, 'person')))
  );
}
