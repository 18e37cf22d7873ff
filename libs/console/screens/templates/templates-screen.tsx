import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listTemplates, syncTemplates } from '../../../client/generated/sdk.gen';
import type { ListTemplatesData, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { CATEGORY_WORDS, QUALITY_WORDS, TEMPLATE_STATUS_WORDS } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { Badge, toneOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { Empty, ErrorLine, Loaded } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { AsOf } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { LanguageList } from './language-list';
import { languageCodeOf } from './template-languages';
import { whyNotSendable } from '../../app/not-sendable';

type Filter = NonNullable<ListTemplatesData['query']>;

const ALL = { value: '', label: t('All') };
const STATES = [
  ALL,
  ...(['Approved', 'Pending', 'Rejected', 'Paused', 'Disabled', 'Deleted'] as const).map((value) => ({
    value,
    label: TEMPLATE_STATUS_WORDS[value],
  })),
];
const CATEGORIES = [
  ALL,
  ...(['Marketing', 'Utility', 'Authentication'] as const).map((value) => ({ value, label: CATEGORY_WORDS[value] })),
];

const COLUMNS: Column<TemplateDto>[] = [
  {
    key: 'name',
    head: t('Template'),
    cell: (template) => (
      <>
        <Link to={`/templates/${template.id}`} className="row-link">
          <bdi>{template.name}</bdi>
        </Link>
        <div className="cell-sub templates-text" dir="auto">
          {template.bodyText}
        </div>
      </>
    ),
  },
  {
    key: 'state',
    head: t('Status'),
    cell: (template) => (
      <>
        <Badge tone={toneOf(template.status)}>{TEMPLATE_STATUS_WORDS[template.status]}</Badge>
        {whyNotSendable(template) && <div className="cell-sub">{whyNotSendable(template)}</div>}
      </>
    ),
  },
  { key: 'language', head: t('Language'), wideOnly: true, cell: ({ languageCode }) => languageCode },
  { key: 'category', head: t('Category'), wideOnly: true, cell: ({ category }) => CATEGORY_WORDS[category] },
  {
    key: 'quality',
    head: t('Quality'),
    wideOnly: true,
    cell: ({ qualityRating }) =>
      qualityRating && qualityRating !== 'Unknown' ? (
        <Badge tone={toneOf(qualityRating)}>{QUALITY_WORDS[qualityRating]}</Badge>
      ) : (
        <span className="templates-unrated">{t('Not rated')}</span>
      ),
  },
];

/** The templates of the account, with status and reasons. */
export default function TemplatesScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const [filters, setFilters] = useUrlFilters({ search: '', status: '', category: '', language: '', page: '1' });
  const { search, status, category, language, page } = filters;
  const isFiltered = [search, status, category, language].some((one) => one !== '');
  const templates = useQuery({
    queryKey: queryKeys.templates.list(filters),
    queryFn: ({ signal }) =>
      call(
        listTemplates,
        {
          query: {
            page: Number(page),
            pageSize: 50,
            ...(search.trim() && { search: search.trim() }),
            ...(status && { status: status as Filter['status'] }),
            ...(category && { category: category as Filter['category'] }),
            ...(language.trim() && { languageCode: languageCodeOf(language) }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const sync = useMutation({
    mutationFn: () => call(syncTemplates, {}),
    onSuccess: ({ added, updated, removed }) => {
      void queries.invalidateQueries({ queryKey: queryKeys.templates.all });
      showToast(
        t('Templates synced'),
        t('{added, number} new, {updated, number} changed, {removed, number} deleted', { added, updated, removed }),
      );
    },
  });
  const canManage = session.can('templates:manage');
  return (
    <>
      <PageHeader
        title={t('Templates')}
        lead={t('Messages that can start a conversation, each approved by WhatsApp.')}
        asOf={<AsOf at={templates.dataUpdatedAt} />}
        actions={
          canManage && (
            <>
              <Button icon="retry" busy={sync.isPending} onClick={() => sync.mutate()}>
                {t('Sync with WhatsApp')}
              </Button>
              <ButtonLink to="/templates/new" variant="primary" icon="plus">
                {t('Create template')}
              </ButtonLink>
            </>
          )
        }
      />
      {sync.isError && <ErrorLine error={sync.error} />}
      {sync.data && sync.data.failed.length > 0 && (
        <p className="hint">
          {t('{count, plural, one {# template} other {# templates}} could not be synced.', {
            count: sync.data.failed.length,
          })}
        </p>
      )}
      <div className="filters">
        <Input
          label={t('Search')}
          type="search"
          value={search}
          placeholder={t('Name or text')}
          onChange={(text) => setFilters({ search: text })}
        />
        <Select
          label={t('Status')}
          value={status}
          choices={STATES}
          onChange={(value) => setFilters({ status: value })}
        />
        <Select
          label={t('Category')}
          value={category}
          choices={CATEGORIES}
          onChange={(value) => setFilters({ category: value })}
        />
        <Input
          label={t('Language')}
          value={language}
          placeholder={t('All')}
          list="template-languages"
          onChange={(text) => setFilters({ language: text })}
        />
        <LanguageList id="template-languages" />
      </div>
      <Loaded query={templates}>
        {({ items, totalPages, totalCount }) =>
          items.length === 0 ? (
            isFiltered ? (
              <Empty title={t('No matching templates')} icon="search" hint={t('Change or clear the filters.')}>
                <Button onClick={() => setFilters({ search: '', status: '', category: '', language: '' })}>
                  {t('Clear filters')}
                </Button>
              </Empty>
            ) : (
              <Empty
                title={t('No templates yet')}
                icon="template"
                hint={t('Create one here, or sync existing ones from WhatsApp.')}
              >
                {canManage && (
                  <ButtonLink to="/templates/new" variant="primary">
                    {t('Create template')}
                  </ButtonLink>
                )}
              </Empty>
            )
          ) : (
            <Panel title={t('{count, plural, one {# template} other {# templates}}', { count: totalCount })} flush>
              <Table
                label={t('Templates')}
                columns={COLUMNS}
                rows={totalPages > 1 ? items : sendableFirst(items)}
                rowKey={({ id }) => id}
              />
              <Pager
                page={Number(page)}
                totalPages={totalPages}
                totalCount={totalCount}
                onPage={(next) => setFilters({ page: String(next) })}
              />
            </Panel>
          )
        }
      </Loaded>
    </>
  );
}

/** The templates in their order, those that cannot be sent last; of several pages that would be wrong. */
function sendableFirst(items: readonly TemplateDto[]): TemplateDto[] {
  return [...items].sort((one, other) => Number(Boolean(whyNotSendable(one))) - Number(Boolean(whyNotSendable(other))));
}
