import {
  getBulkJob,
  getMessage,
  listBulkJobs,
  listContacts,
  listConversations,
  listGroups,
  listMessages,
  listTemplates,
} from '../../../client/generated/sdk.gen';
import type { BulkJobDto, MessageDto } from '../../../client/generated/types.gen';
import { phoneDigits } from '../../../client/phone-digits';
import { asMessagingError, call, isPhoneError } from '../../api/call';
import type { Scope } from '../../api/scopes';
import { jobWord } from '../../screens/job/job-outcome';
import { jobTitle } from '../job-title';
import { STATE_WORDS } from '../states';
import { previewWords, TEMPLATE_STATUS_WORDS, textOf } from '../vocabulary';
import { t } from '../../language/translate';

/** One result; `to` is the path of its screen. */
export interface Found {
  id: string;
  label: string;
  hint: string;
  to: string;
}

/** One kind of things to find, for keys with the scope. */
export interface Source {
  title: string;
  scope: Scope;
  find: (text: string, signal: AbortSignal, can: (scope: Scope) => boolean) => Promise<Found[]>;
}

/** Results of each kind. */
const MOST = 5;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PLATFORM_ID = 'wamid.';
const MIN_NUMBER = 8;

/** Everything that the search finds beside pages, in the order of the results. */
export const SOURCES: readonly Source[] = [
  {
    title: t('Conversations'),
    scope: 'messaging:read',
    find: async (search, signal) => {
      const { items } = await call(listConversations, { query: { search, limit: MOST } }, { signal });
      return items.slice(0, MOST).map(({ id, contactName, contactPhone, username, unreadText, lastText }) => ({
        ...{ id, label: contactName ?? (contactPhone === null ? (username ?? t('Unknown')) : `+${contactPhone}`) },
        hint: [contactPhone === null && contactName !== null && username, previewWords(unreadText ?? lastText ?? '')]
          .filter(Boolean)
          .join(', '),
        to: `/conversations?id=${id}`,
      }));
    },
  },
  {
    title: t('People'),
    scope: 'groups:read',
    find: async (search, signal) => {
      const { items } = await call(listContacts, { query: { search, limit: MOST } }, { signal });
      return items.map(({ id, name, phone, username, userId }) => {
        const number = phone === null ? (username ?? userId ?? '') : `+${phone}`;
        return { id, label: name ?? number, hint: name === null ? '' : number, to: `/contacts/${id}` };
      });
    },
  },
  {
    title: t('Groups'),
    scope: 'groups:read',
    find: async (search, signal) => {
      const { items } = await call(listGroups, { query: { search, pageSize: MOST } }, { signal });
      return items.map(({ id, name, contactCount: count }) => ({
        ...{ id, label: name, to: `/groups/${id}` },
        hint: t('{count, plural, one {# contact} other {# contacts}}', { count }),
      }));
    },
  },
  {
    title: t('Jobs and campaigns'),
    scope: 'jobs:read',
    find: async (search, signal) => {
      if (ID.test(search)) {
        const job = await known(call(getBulkJob, { path: { jobId: search } }, { signal }), 'job_not_found');
        return job ? [foundJob(job)] : [];
      }
      const { items } = await call(listBulkJobs, { query: { search, pageSize: MOST, counts: 'true' } }, { signal });
      return items.map(foundJob);
    },
  },
  {
    title: t('Messages'),
    scope: 'messaging:read',
    find: async (text, signal, can) => {
      if (ID.test(text)) {
        const message = await known(call(getMessage, { path: { messageId: text } }, { signal }), 'message_not_found');
        return message ? [foundMessage(message)] : [];
      }
      if (text.startsWith(PLATFORM_ID)) {
        const query = { platformMessageId: text, limit: MOST };
        return (await call(listMessages, { query }, { signal })).items.map(foundMessage);
      }
      const digits = phoneDigits(text);
      if (digits === null || digits.length < MIN_NUMBER) return [];
      const numbers = (await isReadable(text, signal)) ? [text] : await numbersOf(text, signal, can);
      return numbers.map((number) => ({
        id: number,
        label: t('Messages to {number}', { number }),
        hint: '',
        to: `/messages?to=${encodeURIComponent(number)}`,
      }));
    },
  },
  {
    title: t('Templates'),
    scope: 'templates:read',
    find: async (search, signal) => {
      const { items } = await call(listTemplates, { query: { search, pageSize: MOST } }, { signal });
      return items.map(({ id, name, languageCode, status }) => ({
        ...{ id, label: name, hint: `${languageCode}, ${TEMPLATE_STATUS_WORDS[status]}`, to: `/templates/${id}` },
      }));
    },
  },
];

function foundJob(job: BulkJobDto): Found {
  return { id: job.jobId, label: jobTitle(job), hint: jobWord(job), to: `/jobs/${job.jobId}` };
}

function foundMessage(message: MessageDto): Found {
  const { id, contactPhone, status } = message;
  const person = contactPhone === null ? '' : `+${contactPhone}, `;
  return { id, label: textOf(message), hint: `${person}${STATE_WORDS[status]}`, to: `/messages/${id}` };
}

/** Whether the service can search messages by the number: one without country code only by the default country of the account. */
async function isReadable(to: string, signal: AbortSignal): Promise<boolean> {
  try {
    await call(listMessages, { query: { to, limit: 1 } }, { signal });
    return true;
  } catch (error) {
    if (isPhoneError(error)) return false;
    throw error;
  }
}

/** The numbers of the people whom the search finds by a number without country code. */
async function numbersOf(search: string, signal: AbortSignal, can: (scope: Scope) => boolean): Promise<string[]> {
  const query = { search, limit: MOST };
  const [conversations, contacts] = await Promise.all([
    call(listConversations, { query }, { signal }),
    can('groups:read') ? call(listContacts, { query }, { signal }) : { items: [] },
  ]);
  const phones = [
    ...conversations.items.map(({ contactPhone }) => contactPhone),
    ...contacts.items.map(({ phone }) => phone),
  ];
  const numbers = new Set(phones.flatMap((phone) => (phone === null ? [] : [`+${phone}`])));
  return [...numbers].slice(0, MOST);
}

/** The result, or null if the service has nothing with this id. */
async function known<T>(result: Promise<T>, missing: string): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (asMessagingError(error).code === missing) return null;
    throw error;
  }
}
