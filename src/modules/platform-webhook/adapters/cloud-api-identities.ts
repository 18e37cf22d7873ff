import type { IdentityChange } from '../../groups/domain/opt-out';
import { objectOf, phoneOf, textOf, userIdOf, type Wire } from './cloud-api-values';

/** A platform user id inside a text. */
const USER_ID_IN_TEXT = /\b[A-Z]{2}\.[A-Za-z0-9.]*[A-Za-z0-9]/g;

/** The change of number or user id in a message of type `system`; null: it contains none. */
export function identityChangeIn(wire: Wire): IdentityChange | null {
  const system = objectOf(wire.system);
  const phone = phoneOf(wire.from);
  const userId = userIdOf(system.user_id);
  if (system.type === 'user_changed_number') {
    const newPhone = phoneOf(system.new_wa_id) ?? phoneOf(system.wa_id);
    return changeOf({ phone, userId: userIdOf(wire.from_user_id) }, { phone: newPhone, userId });
  }
  if (system.type !== 'user_changed_user_id') return null;
  // Only the text contains the former user id: "User … changed from … to …".
  const former = textOf(system.body)
    ?.match(USER_ID_IN_TEXT)
    ?.find((id) => id !== userId);
  return changeOf({ phone, userId: userIdOf(wire.from_user_id) ?? former ?? null }, { phone, userId });
}

/** The change in an entry of the field `user_id_update`; null if unreadable. */
export function readUserIdUpdate(wire: Wire): IdentityChange | null {
  const { previous, current } = objectOf(wire.user_id);
  const phone = phoneOf(wire.wa_id);
  return changeOf({ phone, userId: userIdOf(previous) }, { phone, userId: userIdOf(current) });
}

function changeOf(before: IdentityChange['before'], after: IdentityChange['after']): IdentityChange | null {
  const isKnown = (before.phone ?? before.userId) !== null;
  const changes =
    (after.phone !== null && after.phone !== before.phone) || (after.userId !== null && after.userId !== before.userId);
  return isKnown && changes ? { before, after } : null;
}
