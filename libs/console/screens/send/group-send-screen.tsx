import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { listGroupContacts, sendTemplateToGroup } from '../../../client/generated/sdk.gen';
import type { CreatedJobDto, GroupDto, RecipientCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { DraftNote } from '../../app/draft-note';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { slotsOf } from '../../ui/bubble/template-values';
import { MultiCombobox } from '../../ui/multi-combobox';
import { useDebounced } from '../../ui/use-debounced';
import { Empty, ErrorLine, Loaded, Loading, NoScope } from '../../ui/states';
import { validRows } from './campaign-columns';
import { CheckView } from './check-view';
import { GroupValueFields } from './group-value-fields';
import { firstValues, type GroupValues, knownValuesOf, valueFields } from './group-values';
import { extrasOf, firstMissing, isUntyped, type SendExtras } from './send-extras';
import {
  groupChoices,
  LeaveOutFields,
  leavesOutNobody,
  type LeftOut,
  leftOutFields,
  NOBODY_LEFT_OUT,
  useGroups,
  useWithLeftOut,
} from './leave-out-fields';
import { NameAndTemplateStep } from './name-and-template-step';
import { OptionsFields } from './options-fields';
import { SampleBubbles } from './sample-bubbles';
import { isSendNow, SEND_NOW, problemOf, type SendOptions, timingOf } from './send-options';
import { useSenderChoice } from './sender-choice';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';
import { type SendDraft, type SendForm, useReusedJob, useSendForm } from './use-send-draft';

type GroupSend = NonNullable<Parameters<typeof sendTemplateToGroup>[0]>['body'];

/** Enough to know which attributes contacts have. */
const READ_GROUPS = 5;
const READ_CONTACTS = 100;
const NOBODY: readonly never[] = [];

interface GroupDraft extends SendDraft {
  name: string;
  options: SendOptions;
  groupIds: readonly string[];
  leftOut: LeftOut;
  /** Null: as suggested. */
  values: GroupValues | null;
}

const NEW_GROUP_SEND: GroupDraft = {
  ...{ templateId: '', extras: {}, senderId: null, name: '', options: SEND_NOW },
  ...{ groupIds: [], leftOut: NOBODY_LEFT_OUT, values: null },
};

function isEmpty({ name, options, extras, values, groupIds, leftOut }: GroupDraft): boolean {
  const hasNoAudience = groupIds.length === 0 && leavesOutNobody(leftOut);
  return name === '' && values === null && hasNoAudience && isSendNow(options) && isUntyped(extras);
}

/** Sends a template to contact groups. */
export default function GroupSendScreen() {
  return <GroupSendOfDraft key={useReusedJob()} />;
}

function GroupSendOfDraft() {
  const session = useSession();
  const [{ group: groupId }, setFilters] = useUrlFilters({ group: '' });
  const form = useSendForm('group', useWithLeftOut(NEW_GROUP_SEND), { values: null }, isEmpty);
  const canRead = session.can('groups:read');
  const groups = useGroups(canRead);
  const { chosen } = useChosenTemplate(form.templateId);
  return (
    <>
      <PageHeader title={t('Send to a group')} lead={t('Send one message to all current members of contact groups.')} />
      {!canRead ? (
        <NoScope scopes={['groups:read']} />
      ) : (
        <Loaded query={groups} loading={<Loading rows={6} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                title={t('No groups yet')}
                icon="people"
                hint={t('A group is a list of contacts that you can send to repeatedly.')}
              >
                <ButtonLink to="/groups" variant="primary">
                  {t('Go to groups')}
                </ButtonLink>
              </Empty>
            ) : (
              <GroupSendForm
                key={form.key}
                groups={items}
                template={chosen}
                form={withGroups(form, groupId ? groupId.split(',') : form.value.groupIds, items)}
                onGroups={(groupIds) => setFilters({ group: groupIds.join(',') })}
              />
            )
          }
        </Loaded>
      )}
    </>
  );
}

/** What is missing before the schedule. */
function waitsFor(hasGroups: boolean, hasValues: boolean): string {
  if (!hasGroups) return t('Add recipients first.');
  return hasValues ? t('No recipient can be used yet.') : t('Choose a contact field or enter a text for each value.');
}

/** The form with those of the chosen groups that exist; a link may have chosen them. */
function withGroups(
  form: SendForm<GroupDraft>,
  chosen: readonly string[],
  groups: readonly GroupDto[],
): SendForm<GroupDraft> {
  const groupIds = chosen.filter((one) => groups.some(({ id }) => id === one));
  return {
    ...form,
    value: { ...form.value, groupIds },
    change: (changed) => form.change({ groupIds, ...changed }),
  };
}

function GroupSendForm({
  groups,
  template,
  form,
  onGroups,
}: {
  groups: readonly GroupDto[];
  template: TemplateDto | null;
  form: SendForm<GroupDraft>;
  onGroups: (ids: readonly string[]) => void;
}) {
  const { value, change, draft } = form;
  const { name, options, groupIds, leftOut } = value;
  const [extras, setExtras] = useState<SendExtras | null>(null);
  // Invalid options, such as a start in the past, are not sent to the check.
  const [timing, setTiming] = useState(() => timingOf(problemOf(options, new Date()) === null ? options : SEND_NOW));
  const given = extras ?? (template && extrasOf(template, value.extras));
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
  const sender = useSenderChoice(template, value.senderId, (senderId) => change({ senderId }));
  const known = useMemo(() => knownValuesOf(contacts), [contacts]);
  const values = value.values ?? (template && firstValues(template, known));
  const filled = values && valueFields(values);
  const changeOptions = (next: SendOptions) => {
    change({ options: next });
    if (problemOf(next, new Date()) === null) setTiming(timingOf(next));
  };
  const missing = firstMissing(given, values !== null && values.media !== '');
  const isFilled = template !== null && groupIds.length > 0 && filled !== null;
  const missed = isFilled ? missing : undefined;
  const isReady = isFilled && missing === undefined && !members.isLoading;
  const body: GroupSend = {
    groupIds: [...groupIds],
    ...leftOutFields(leftOut),
    templateName: template?.name ?? '',
    languageCode: template?.languageCode,
    senderId: sender.senderId,
    ...given?.fields,
    ...filled,
    ...timing,
  };
  const checkedBody = useDebounced(body);
  const check = useQuery({
    queryKey: queryKeys.sendChecks.group(checkedBody),
    queryFn: async ({ signal }) =>
      (await call(sendTemplateToGroup, { body: { ...checkedBody, dryRun: true } }, { signal })) as RecipientCheckDto,
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
    form.finish,
    draft.place,
  );
  const found = check.isError || !isReady ? undefined : check.data;
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            template={template}
            rows={validRows(found?.sample ?? [])}
            given={given}
            sender={sender}
            of="group"
          />
        )
      }
    >
      <DraftNote draft={draft} onStartOver={form.startOver} />
      <NameAndTemplateStep
        {...{ form, template, sender, missed }}
        isComplete={missing === undefined}
        error={error ?? check.error}
        onExtras={setExtras}
      />
      <Step
        number={2}
        title={t('People')}
        done={found !== undefined}
        waits={!template && t('Choose a template first.')}
      >
        <MultiCombobox
          label={t('Groups')}
          placeholder={t('Group name')}
          hint={t('A person in several groups gets one message.')}
          values={groupIds}
          choices={groupChoices(groups)}
          onChange={(next) => {
            change({ groupIds: next });
            onGroups(next);
          }}
        />
        <LeaveOutFields leftOut={leftOut} onChange={(next) => change({ leftOut: { ...leftOut, ...next } })} />
        {template && values && groupIds.length > 0 && (
          <GroupValueFields
            template={template}
            attributes={known.attributes}
            values={values}
            onChange={(next) => change({ values: next })}
          />
        )}
        {filled === null && groupIds.length > 0 && (
          <p className="hint">{t('Choose a contact field or enter a text for each value.')}</p>
        )}
        {check.isFetching && !found && <Loading rows={2} label={t('Checking contacts')} />}
        {check.isError && <ErrorLine error={check.error} />}
        {found && (
          <CheckView
            check={found}
            options={options}
            placeholders={
              template
                ? slotsOf(template).map(({ part, card, name, label }) =>
                    part === 'button' || card !== undefined ? label : `{{${name}}}`,
                  )
                : []
            }
            advice={t(
              'You can send to the other contacts now; the job report lists these. Or add what is missing to the contacts.',
            )}
          />
        )}
      </Step>
      <Step
        number={3}
        title={t('Schedule')}
        waits={!found && (missed?.first ?? waitsFor(groupIds.length > 0, filled !== null))}
      >
        {found && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        check={found}
        audience={groups.flatMap((one) => (groupIds.includes(one.id) ? [one.name] : []))}
        name={name.trim()}
        templateName={template?.name ?? ''}
        options={options}
        offerEndsAt={given?.fields.offerExpiresAt}
        checking={check.isFetching || JSON.stringify(checkedBody) !== JSON.stringify(body)}
        sending={sending}
        sent={null}
        error={error}
        onSend={(summary) => {
          const { hold } = options;
          send({ ...body, ...(name.trim() && { name: name.trim() }), ...(hold && { hold }) }, summary);
        }}
      />
    </Steps>
  );
}
