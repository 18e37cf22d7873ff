import { useQuery } from '@tanstack/react-query';
import { getMessage, listBulkJobRecipients } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobRecipientDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useMessageTemplate } from '../../app/message-template';
import { useSenders } from '../../app/senders';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { ButtonLink, Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { whyNotSendable } from '../../app/not-sendable';
import { isInvalidRow } from './job-counts';

/** Among so many rows the one is searched whose message is shown. */
const ROWS = 20;

/** What a job sends: its template, the message to its first recipient, and the way to send it again. */
export function JobMessage({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const senders = useSenders();
  const template = useMessageTemplate(job);
  const first = useFirstRecipient(job);
  const messageId = first?.messageId ?? '';
  // The template may have another text since then.
  const sent = useQuery({
    queryKey: queryKeys.messages.one(messageId),
    queryFn: ({ signal }) => call(getMessage, { path: { messageId } }, { signal }),
    enabled: messageId !== '' && session.can('messaging:read'),
  }).data;
  if (!template) return null;
  const isSent = Boolean(sent?.renderedText);
  const sender = senders?.find(({ id }) => job.senderId === undefined || id === job.senderId);
  return (
    <Panel
      title={t('Message')}
      actions={
        whyNotSendable(template) === null &&
        session.can('messaging:send') && (
          <ButtonLink to={againPath(job, template.id)} icon="copy">
            {t('Use again')}
          </ButtonLink>
        )
      }
    >
      <p>
        <Link to={`/templates/${template.id}`}>
          <code>{job.templateName}</code>
        </Link>
      </p>
      <MessagePreview
        sender={sender?.displayPhoneNumber ?? sender?.phoneNumberId}
        content={isSent ? bubbleOfMessage(sent!, template) : bubbleOfTemplate(template, first?.parameters)}
        hasSamples={!first?.parameters.length}
        at={isSent ? sent!.createdAt : undefined}
      />
      {first && (
        <p className="hint">
          {rich('To {person}', {
            person: <PhoneNumber value={first.phone ? `+${first.phone}` : (first.userId ?? '')} />,
          })}
        </p>
      )}
    </Panel>
  );
}

/** The first recipient that gets the message or, if none of the first rows does, whose row is valid. */
function useFirstRecipient({ jobId }: BulkJobDetailDto): JobRecipientDto | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.job.recipients(jobId, { first: ROWS }),
    queryFn: ({ signal }) => call(listBulkJobRecipients, { path: { jobId }, query: { limit: ROWS } }, { signal }),
    select: ({ items }) => items.filter((one) => !isInvalidRow(one)),
  });
  return data?.find(({ status }) => status !== 'Skipped') ?? data?.[0];
}

/** The form that made the job, with its template, its name and its groups; `rest`: without those whom it reached. */
export function againPath(
  { jobId, kind, name, audience }: BulkJobDetailDto,
  templateId: string,
  whom: 'all' | 'rest' = 'all',
): string {
  const form = kind === 'Group' ? 'group' : 'campaign';
  const query = {
    reuse: jobId,
    ...(whom === 'rest' && { without: jobId }),
    template: templateId,
    ...(name && { name }),
    ...(audience && { group: audience.groupIds.join() }),
  };
  return `/send/${form}?${new URLSearchParams(query)}`;
}
