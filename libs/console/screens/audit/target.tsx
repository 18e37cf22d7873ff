import { useQuery } from '@tanstack/react-query';
import {
  getAccount,
  getBulkJob,
  getTemplate,
  getWebhookEndpoint,
  listAccounts,
  listApiKeys,
  listTemplates,
  listWebhookEndpoints,
} from '../../../client/generated/sdk.gen';
import type { AuditEntryDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { jobTitle } from '../../app/job-title';
import { useRecentJobs } from '../../app/recent-jobs';
import { useSenders } from '../../app/senders';
import { useSession } from '../../app/session';
import { Link } from '../../ui/link';

/** Names change seldom, and all rows read the same lists. */
const FRESH_MS = 60_000;
const FIRST_PAGE = { page: '1' };

/** What an entry is about: its name, if the account still has it, otherwise its id. */
export function Target({ entry: { action, targetId, accountId } }: { entry: AuditEntryDto }) {
  const session = useSession();
  const kind = action.split('.')[0];
  // A sign-in is about the key that made it.
  if (targetId === null || kind === 'console') return <span className="hint">–</span>;
  if (kind === 'account') return <AccountName id={targetId} />;
  if (accountId !== session.account.id) return <Id id={targetId} />;
  if (kind === 'job' && session.can('jobs:read')) return <JobName id={targetId} />;
  if (kind === 'template' && session.can('templates:read')) return <TemplateName id={targetId} />;
  if (kind === 'key') return <KeyName id={targetId} />;
  if (kind === 'webhook' && session.can('webhooks:manage')) return <EndpointName id={targetId} />;
  if (kind === 'sender') return <SenderName id={targetId} />;
  return <Id id={targetId} />;
}

/** The name of what the shared list `isMissing`, looked up by its id; undefined while it is loaded, and if it was deleted. */
function useNameOf(id: string, isMissing: boolean, load: (signal: AbortSignal) => Promise<string>): string | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.auditName(id),
    queryFn: ({ signal }) => load(signal),
    enabled: isMissing,
    staleTime: FRESH_MS,
  });
  return data;
}

/** An account by its name, which only the operator reads of others. */
export function AccountName({ id }: { id: string }) {
  const session = useSession();
  const isOwn = id === session.account.id;
  const isOperator = session.can('accounts:manage');
  const { data } = useQuery({
    queryKey: queryKeys.accounts.list(FIRST_PAGE),
    queryFn: ({ signal }) => call(listAccounts, { query: { page: 1 } }, { signal }),
    enabled: isOperator && !isOwn,
    staleTime: FRESH_MS,
  });
  const listed = isOwn ? session.account.name : data?.items.find((one) => one.id === id)?.name;
  const name = useNameOf(id, data !== undefined && listed === undefined, async (signal) => {
    return (await call(getAccount, { path: { accountId: id } }, { signal })).name;
  });
  return <Named id={id} name={listed ?? name} to={isOperator ? `/accounts/${id}` : undefined} />;
}

function JobName({ id }: { id: string }) {
  const recent = useRecentJobs();
  const job = recent.find(({ jobId }) => jobId === id);
  const name = useNameOf(id, recent.length > 0 && !job, async (signal) => {
    return jobTitle(await call(getBulkJob, { path: { jobId: id } }, { signal }));
  });
  return <Named id={id} name={job ? jobTitle(job) : name} to={`/jobs/${id}`} />;
}

function TemplateName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.templates.choice(''),
    queryFn: ({ signal }) => call(listTemplates, { query: { pageSize: 100 } }, { signal }),
    staleTime: FRESH_MS,
  });
  const found = data?.items.find((one) => one.id === id);
  const other = useNameOf(id, data !== undefined && !found, async (signal) => {
    return templateName(await call(getTemplate, { path: { templateId: id } }, { signal }));
  });
  const name = found ? templateName(found) : other;
  return <Named id={id} name={name} to={name && `/templates/${id}`} />;
}

function templateName({ name, languageCode }: Pick<TemplateDto, 'name' | 'languageCode'>): string {
  return `${name}, ${languageCode}`;
}

function KeyName({ id }: { id: string }) {
  const session = useSession();
  const { data } = useQuery({
    queryKey: queryKeys.apiKeys.own(FIRST_PAGE),
    queryFn: ({ signal }) => call(listApiKeys, { query: { page: 1, pageSize: 50 } }, { signal }),
    enabled: session.can('keys:manage'),
    staleTime: FRESH_MS,
  });
  return <Named id={id} name={data?.items.find((one) => one.id === id)?.name} to={undefined} />;
}

function EndpointName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.webhooks.list(FIRST_PAGE),
    queryFn: ({ signal }) => call(listWebhookEndpoints, { query: { page: 1 } }, { signal }),
    staleTime: FRESH_MS,
  });
  const found = data?.items.find((one) => one.id === id);
  const other = useNameOf(id, data !== undefined && !found, async (signal) => {
    return (await call(getWebhookEndpoint, { path: { endpointId: id } }, { signal })).url;
  });
  const url = found?.url ?? other;
  return <Named id={id} name={url} to={url && `/webhooks/${id}`} />;
}

function SenderName({ id }: { id: string }) {
  const found = useSenders()?.find((one) => one.id === id);
  return <Named id={id} name={found?.displayPhoneNumber ?? undefined} to={found && '/senders'} />;
}

function Named({ id, name, to }: { id: string; name: string | undefined; to: string | undefined }) {
  const text = name === undefined ? <Id id={id} /> : <bdi className="audit-name">{name}</bdi>;
  if (to === undefined) return text;
  return (
    <Link to={to} className="link">
      {text}
    </Link>
  );
}

/** The distinctive end of an id, with the full id as tooltip. */
function Id({ id }: { id: string }) {
  return (
    <code className="audit-id" title={id}>
      …{id.slice(-12)}
    </code>
  );
}
