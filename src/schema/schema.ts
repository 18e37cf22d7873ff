import { DATABASE_IDENTITY } from '../infra/database/schema/database-identity.sql';
import { SEARCH_KEYS } from '../infra/database/schema/search-keys.sql';
import type { Schema } from '../infra/database/migrations';
import { IDEMPOTENCY_KEYS } from '../infra/http/idempotency/schema/idempotency-keys.sql';
import { ACCOUNTS } from '../modules/accounts/adapters/schema/accounts.sql';
import { CONFIGURED_LIMITS } from '../modules/accounts/adapters/schema/configured-limits.sql';
import { BULK_JOBS } from '../modules/bulk-jobs/adapters/schema/bulk-jobs.sql';
import { JOB_CHANGES } from '../modules/bulk-jobs/adapters/schema/job-changes.sql';
import { JOB_EVENTS } from '../modules/bulk-jobs/adapters/schema/job-events.sql';
import { SEND_WINDOWS } from '../modules/bulk-jobs/adapters/schema/send-windows.sql';
import { CHAT_HISTORY } from '../modules/chat-history/adapters/schema/chat-history.sql';
import { AWAITING_REPLY } from '../modules/chat-history/adapters/schema/0103-awaiting-reply';
import { UNANSWERED } from '../modules/chat-history/adapters/schema/0111-unanswered';
import { NUMBER_ENDS } from '../modules/chat-history/adapters/schema/0112-number-ends';
import { UNREAD_OPEN } from '../modules/chat-history/adapters/schema/0108-unread-open';
import { WAITING_SINCE } from '../modules/chat-history/adapters/schema/0119-waiting-since';
import { UNREAD_COUNTS } from '../modules/chat-history/adapters/schema/0120-unread-counts';
import { REMOVAL } from '../modules/accounts/adapters/schema/0104-removal';
import { SUBSCRIPTION_RETURNS } from '../modules/accounts/adapters/schema/0115-subscription-returns';
import { SENDER_CHANGE_LOG } from '../modules/accounts/adapters/schema/0117-sender-change-log';
import { SENDER_CHANGES } from '../modules/accounts/adapters/schema/0102-sender-changes';
import { OPTED_OUT_PACE } from '../modules/delivery/adapters/schema/0101-opted-out';
import { ACTIVITY_COUNTS } from '../modules/delivery/adapters/schema/activity-counts.sql';
import { DELIVERY } from '../modules/delivery/adapters/schema/delivery.sql';
import { JOB_PACE } from '../modules/delivery/adapters/schema/job-pace.sql';
import { LANE_WAIT_EVENTS } from '../modules/delivery/adapters/schema/lane-wait-events.sql';
import { CHANGE_DELIVERY_LOG } from '../modules/events/adapters/schema/change-delivery-log.sql';
import { EVENTS } from '../modules/events/adapters/schema/events.sql';
import { EVENTS_UPKEEP } from '../modules/events/adapters/schema/0107-upkeep';
import { FAILED_DELIVERIES } from '../modules/events/adapters/schema/0118-failed-deliveries';
import { WRITE_EVENTS } from '../modules/events/adapters/schema/write-events.sql';
import { CONTACT_NUMBER_ENDS } from '../modules/groups/adapters/schema/0113-number-ends';
import { FOLDED_NAMES } from '../modules/groups/adapters/schema/0116-folded-names';
import { GROUPS } from '../modules/groups/adapters/schema/groups.sql';
import { KEPT_MEDIA } from '../modules/media/adapters/schema/0105-kept';
import { MEDIA } from '../modules/media/adapters/schema/media.sql';
import { CHANGE_MESSAGE_PARTITION } from '../modules/messages/adapters/schema/change-message-partition.sql';
import { VACUUM_OF_PARTITIONS } from '../modules/messages/adapters/schema/0110-vacuum';
import { firstMessagePartitions, MESSAGES } from '../modules/messages/adapters/schema/messages.sql';
import { PLATFORM_WEBHOOK } from '../modules/platform-webhook/adapters/schema/platform-webhook.sql';
import { SENDING } from '../modules/sending/adapters/schema/sending.sql';
import { TEMPLATE_OWNERS } from '../modules/templates/adapters/schema/template-owners.sql';
import { TEMPLATES } from '../modules/templates/adapters/schema/templates.sql';
import { UPGRADE_FROM_0_1 } from './upgrade-from-0.1';

/** The schema of the whole service. */
export const SCHEMA: Schema = {
  /** By module, each after the modules whose tables and functions it uses. */
  baseline: (now) => [
    DATABASE_IDENTITY,
    SEARCH_KEYS,
    ACCOUNTS,
    CONFIGURED_LIMITS,
    IDEMPOTENCY_KEYS,
    EVENTS,
    CHANGE_DELIVERY_LOG,
    WRITE_EVENTS,
    TEMPLATES,
    TEMPLATE_OWNERS,
    GROUPS,
    MEDIA,
    MESSAGES,
    CHANGE_MESSAGE_PARTITION,
    firstMessagePartitions(now),
    CHAT_HISTORY,
    SENDING,
    BULK_JOBS,
    JOB_CHANGES,
    JOB_EVENTS,
    SEND_WINDOWS,
    DELIVERY,
    LANE_WAIT_EVENTS,
    JOB_PACE,
    ACTIVITY_COUNTS,
    PLATFORM_WEBHOOK,
  ],
  upgrade: UPGRADE_FROM_0_1,
  migrations: [
    OPTED_OUT_PACE,
    SENDER_CHANGES,
    AWAITING_REPLY,
    REMOVAL,
    KEPT_MEDIA,
    EVENTS_UPKEEP,
    UNREAD_OPEN,
    VACUUM_OF_PARTITIONS,
    UNANSWERED,
    NUMBER_ENDS,
    CONTACT_NUMBER_ENDS,
    SUBSCRIPTION_RETURNS,
    FOLDED_NAMES,
    SENDER_CHANGE_LOG,
    FAILED_DELIVERIES,
    WAITING_SINCE,
    UNREAD_COUNTS,
  ],
};
