type Filters = Readonly<Record<string, unknown>>;

/**
 * The keys of all queries. The first part names the resource: invalidating `jobs.all` also invalidates every list of jobs, and
 * invalidating `job.one(id)` everything about that job.
 */
export const queryKeys = {
  session: ['session'],
  senders: ['senders'],
  audit: (filters: Filters) => ['audit', filters],
  auditName: (id: string) => ['audit-name', id],
  media: (fileId: string) => ['media', fileId],
  overview: {
    all: ['overview'],
    range: (range: string) => ['overview', range],
  },
  jobs: {
    all: ['jobs'],
    list: (filters: Filters) => ['jobs', filters],
    open: (status: string) => ['jobs', 'open', status],
    sentBefore: (templateName: string, fileName: string) => ['jobs', 'sent-before', templateName, fileName],
  },
  job: {
    one: (jobId: string) => ['job', jobId],
    pace: (jobId: string, isActive: boolean) => ['job', jobId, 'pace', isActive],
    failures: (jobId: string, failed: number, undelivered: number) => {
      return ['job', jobId, 'failures', failed, undelivered];
    },
    recipients: (jobId: string, filters: Filters) => ['job', jobId, 'recipients', filters],
    retryCheck: (jobId: string, body: object) => ['job', jobId, 'retry-check', body],
  },
  conversations: {
    all: ['conversations'],
    unread: ['conversations', 'unread'],
    lists: ['conversations', 'list'],
    list: (filters: Filters) => ['conversations', 'list', filters],
  },
  conversation: {
    all: ['conversation'],
    one: (conversationId: string) => ['conversation', conversationId, 'one'],
    optOut: (conversationId: string, lastMessageAt: string) => [
      'conversation',
      conversationId,
      'opt-out',
      lastMessageAt,
    ],
    messages: (conversationId: string) => ['conversation', conversationId, 'messages'],
    quoted: (conversationId: string, messageId: string) => ['conversation', conversationId, 'quoted', messageId],
  },
  search: (source: string, text: string) => ['search', source, text],
  quickReplies: ['quick-replies'],
  numberingPlan: (digits: string) => ['numbering-plan', digits],
  messages: {
    all: ['messages'],
    list: (filters: Filters) => ['messages', filters],
    withPhone: (phone: string) => ['messages', 'with', phone],
    one: (messageId: string) => ['message', messageId],
  },
  templates: {
    all: ['templates'],
    list: (filters: Filters) => ['templates', filters],
    choice: (search: string) => ['templates', 'choice', search],
    named: (name: string | null, languageCode: string | null, senderId: string | undefined) => {
      return ['templates', 'named', name, languageCode, senderId];
    },
    preview: (templateId: string | undefined, values: readonly string[]) => {
      return ['templates', templateId, 'preview', values];
    },
    one: (templateId: string) => ['template', templateId],
    check: (body: object) => ['template-check', body],
  },
  contacts: {
    all: ['contacts'],
    list: (filters: Filters) => ['contacts', filters],
    one: (contactId: string) => ['contacts', contactId],
    withPhone: (phone: string) => ['contacts', 'of', phone],
  },
  groups: {
    all: ['groups'],
    list: (filters: Filters) => ['groups', filters],
    choice: ['groups', 'choice'],
    one: (groupId: string) => ['groups', groupId],
    members: (groupId: string, filters: Filters) => ['groups', groupId, 'contacts', filters],
    someMembers: (groupIds: readonly string[]) => ['groups', 'some-contacts', groupIds],
  },
  optOuts: {
    all: ['opt-outs'],
    list: (filters: Filters) => ['opt-outs', filters],
    of: (person: string | null) => ['opt-outs', 'of', person],
    keywords: ['opt-outs', 'keywords'],
  },
  webhooks: {
    all: ['webhooks'],
    lists: ['webhooks', 'list'],
    list: (filters: Filters) => ['webhooks', 'list', filters],
    one: (endpointId: string) => ['webhooks', 'one', endpointId],
    deliveries: (endpointId: string) => ['webhooks', 'deliveries', endpointId],
  },
  apiKeys: {
    all: ['keys'],
    own: (filters: Filters) => ['keys', 'own', filters],
    ofAccount: (accountId: string, filters: Filters) => ['keys', accountId, filters],
  },
  accounts: {
    all: ['accounts'],
    list: (filters: Filters) => ['accounts', 'list', filters],
    one: (accountId: string) => ['accounts', 'one', accountId],
  },
  columnChecks: {
    guess: (purpose: string, fileNumber: number, place: object) => ['column-guess', purpose, fileNumber, place],
    check: (purpose: string, fileNumber: number, form: string | null) => ['column-check', purpose, fileNumber, form],
  },
  sendChecks: {
    group: (body: object) => ['group-check', body],
  },
};
