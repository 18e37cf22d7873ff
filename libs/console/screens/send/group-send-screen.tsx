import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { listGroupContacts, listGroups, sendTemplateToGroup } from '../../../client/generated/sdk.gen';
import type { CreatedJobDto, GroupCheckDto, GroupDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { useDebounced } from '../../ui/use-debounced';
import { Empty, ErrorLine, Loaded, Loading, NoScope } from '../../ui/states';
import { sendableRows } from './campaign-columns';
import { CheckView, reached } from './check-view';
import { type Audience, audienceFields, AudienceFields } from './group-audience';
import { GroupValueFields } from './group-value-fields';
import { firstValues, type GroupValues, knownValuesOf, valueFields } from './group-values';
import { firstExtras, type SendExtras } from './header-extras';
import { OptionsFields } from './options-fields';
import { SampleBubbles } from './sample-bubbles';
import { SEND_NOW, problemOf, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';

type GroupSend = NonNullable<Parameters<typeof sendTemplateToGroup>[0]>['body'];

/** Enough to know which attributes contacts have. */
const READ_GROUPS = 5;
const READ_CONTACTS = 100;
const NOBODY: readonly never[] = [];

/** Sends a template to contact groups. */
export default function GroupSendScreen() {
  const session = useSession();
  const [{ template: templateId, group: groupId }, setFilters] = useUrlFilters({ template: '', group: '' });
  const canRead = session.can('groups:read');
  const groups = useQuery({
    queryKey: queryKeys.groups.choice,
    queryFn: ({ signal }) => call(listGroups, { query: { pageSize: 100 } }, { signal }),
    enabled: canRead,
  });
  const { chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="Send to a group" lead="Send one message to all current members of contact groups." />
      {!canRead ? (
        <NoScope scopes={['groups:read']} />
      ) : (
        <Loaded query={groups} loading={<Loading rows={6} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                title="No groups yet"
                icon="people"
                hint="A group is a list of contacts that you can send to repeatedly."
              >
                <ButtonLink to="/groups" variant="primary">
                  Go to groups
                </ButtonLink>
              </Empty>
            ) : (
              <GroupSendForm
                key={templateId}
                groups={items}
                groupIds={groupId.split(',').filter((one) => items.some(({ id }) => id === one))}
                template={chosen}
                onGroups={(groupIds) => setFilters({ group: groupIds.join(',') })}
                onTemplate={(next) => setFilters({ template: next?.id ?? '' })}
              />
            )
          }
        </Loaded>
      )}
    </>
  );
}

function GroupSendForm({
  groups,
  groupIds,
  template,
  onGroups,
  onTemplate,
}: {
  groups: readonly GroupDto[];
  groupIds: readonly string[];
  template: TemplateDto | null;
  onGroups: (ids: readonly string[]) => void;
  onTemplate: (template: TemplateDto | null) => void;
}) {
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [leftOut, setLeftOut] = useState<Omit<Audience, 'groupIds'>>({ excludeGroupIds: [], notReachedBy: '' });
  const [chosenValues, setValues] = useState<GroupValues | null>(null);
  const [options, setOptions] = useState(SEND_NOW);
  // Invalid options, such as a start in the past, are not sent to the check.
  const [timing, setTiming] = useState(timingOf(SEND_NOW));
  const given = extras ?? (template && firstExtras(template));
  const audience: Audience = { groupIds, ...leftOut };
  const read = groupIds.slice(0, READ_GROUPS);
  const members = useQuery({
    queryKey: queryKeys.groups.someMembers(read),
    queryFn: async ({ signal }) => {
      const query = { limit: READ_CONTACTS };
      const pages = read.map((groupId) => call(listGroupContacts, { path: { groupId }, query }, { signal }));
      return (await Promise.all(pages)).flatMap(({ items }) => items);
    },
    enabled: read.length > 0,
    placeholderData: keepPreviousData,
  });
  const contacts = members.data ?? NOBODY;
  const known = useMemo(() => knownValuesOf(contacts), [contacts]);
  const values = chosenValues ?? (template && firstValues(template, known));
  const filled = values && valueFields(values);
  const changeOptions = (next: SendOptions) => {
    setOptions(next);
    if (problemOf(next, new Date()) === null) setTiming(timingOf(next));
  };
  const hasHeader = given?.complete === true || (values !== null && values.media !== '');
  const isReady = hasHeader && template !== null && groupIds.length > 0 && !members.isLoading && filled !== null;
  const body: GroupSend = {
    ...audienceFields(audience),
    templateName: template?.name ?? '',
    languageCode: template?.languageCode,
    ...(given?.complete && given.fields),
    ...filled,
    ...timing,
  };
  const checkedBody = useDebounced(body);
  const check = useQuery({
    queryKey: queryKeys.sendChecks.group(checkedBody),
    queryFn: async ({ signal }) =>
      (await call(sendTemplateToGroup, { body: { ...checkedBody, dryRun: true } }, { signal })) as GroupCheckDto,
    enabled: isReady && checkedBody.groupIds?.length !== 0,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { send, sending, error } = useJobSend(
    useCallback(
      async (what: GroupSend, idempotencyKey: string, signal: AbortSignal) =>
        (await call(sendTemplateToGroup, { body: what }, { idempotencyKey, signal })) as CreatedJobDto,
      [],
    ),
  );
  const found = check.isError || !isReady ? undefined : check.data;
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            template={template}
            rows={sendableRows(found?.sample ?? [])}
            extras={given?.bubble ?? {}}
            rowWord="Contact"
          />
        )
      }
    >
      <Step number={1} title="Template" done={template !== null}>
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
      </Step>
      <Step number={2} title="People" done={found !== undefined} waits={!template && 'Choose a template first.'}>
        <AudienceFields
          groups={groups}
          audience={audience}
          onChange={({ groupIds: next, ...others }) => {
            if (next) onGroups(next);
            setLeftOut({ ...leftOut, ...others });
          }}
        />
        {template && values && groupIds.length > 0 && (
          <GroupValueFields template={template} attributes={known.attributes} values={values} onChange={setValues} />
        )}
        {filled === null && groupIds.length > 0 && (
          <p className="hint">Choose an attribute or enter a text for each value.</p>
        )}
        {check.isFetching && !found && <Loading rows={2} label="Checking contacts" />}
        {check.isError && <ErrorLine error={check.error} />}
        {found && (
          <CheckView
            check={found}
            leftOut={found.leftOut}
            advice="You can send to the other contacts now; the job report lists these. Or add what is missing to the contacts."
          />
        )}
      </Step>
      <Step number={3} title="Schedule" waits={!found && 'Add recipients first.'}>
        {found && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        people={found && reached(found)}
        templateName={template?.name ?? ''}
        options={options}
        checking={check.isFetching || JSON.stringify(checkedBody) !== JSON.stringify(body)}
        sending={sending}
        sent={null}
        error={error}
        onSend={() => {
          const { reference, hold } = options;
          send({ ...body, ...(reference && { reference }), ...(hold && { hold }) });
        }}
      />
    </Steps>
  );
}
