import { useCallback, useMemo, useState } from 'react';
import type { CreatedJobDto, FileCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { upload } from '../../api/upload';
import { columnOfError, type Mapping } from '../../app/columns/column-mapping';
import { ColumnMappingFields } from '../../app/columns/column-mapping-fields';
import { CountryField, lacksCountry } from '../../app/columns/country-field';
import { cellLanguageOf } from '../../app/columns/list-place';
import { ListPlaceFields } from '../../app/columns/list-place-fields';
import { type ChosenFile, useColumnCheck } from '../../app/columns/use-column-check';
import { DraftNote } from '../../app/draft-note';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ServiceText } from '../../ui/error-words';
import { FileDrop } from '../../ui/file-drop';
import { Icon } from '../../ui/icon';
import { PageHeader } from '../../ui/page-header';
import { usePhoneText } from '../../ui/phone-number';
import { ErrorLine, ErrorState, Note } from '../../ui/states';
import { UploadProgress } from '../../ui/upload-progress';
import { useDebounced } from '../../ui/use-debounced';
import { columnFieldsOf, guessedColumns, hasMediaColumn, previewRowsOf } from './campaign-columns';
import { CheckView } from './check-view';
import { FileRows } from './file-rows';
import { extrasOf, firstMissing, isUntyped, type SendExtras } from './send-extras';
import {
  LeaveOutFields,
  leavesOutNobody,
  type LeftOut,
  leftOutFields,
  NOBODY_LEFT_OUT,
  useWithLeftOut,
} from './leave-out-fields';
import { OptionsFields } from './options-fields';
import { emptyFile, noUsableRows, rejectedFile, type RejectedFile } from './rejected-file';
import { SampleBubbles } from './sample-bubbles';
import { SampleFiles } from './sample-files';
import { NameAndTemplateStep } from './name-and-template-step';
import { isSendNow, problemOf, SEND_NOW, type SendOptions, timingOf } from './send-options';
import { useSenderChoice } from './sender-choice';
import { SendStep } from './send-step';
import { SentBefore } from './sent-before';
import { Step, Steps } from './steps';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';
import { type SendDraft, type SendForm, useReusedJob, useSendForm } from './use-send-draft';

const ACCEPT = '.xlsx,.xls,.csv,.txt,text/csv';
const COUNTRY_MISSING = t(
  'Numbers without a country code get no message until you choose their country under “Columns”.',
);

interface CampaignDraft extends SendDraft {
  name: string;
  options: SendOptions;
  leftOut: LeftOut;
  /** Further rows of a person get no message. */
  onePerPerson: boolean;
  /** The file has to be chosen again; empty: none was. */
  fileName: string;
}

const NEW_CAMPAIGN: CampaignDraft = {
  ...{ templateId: '', extras: {}, senderId: null },
  ...{ name: '', options: SEND_NOW, leftOut: NOBODY_LEFT_OUT, onePerPerson: false, fileName: '' },
};

function isEmpty({ name, fileName, options, leftOut, extras }: CampaignDraft): boolean {
  return name === '' && fileName === '' && isSendNow(options) && leavesOutNobody(leftOut) && isUntyped(extras);
}

/** Sends a template to a spreadsheet: choose a template, drop a file, check, confirm. */
export default function CampaignScreen() {
  return <CampaignOfDraft key={useReusedJob()} />;
}

function CampaignOfDraft() {
  const form = useSendForm('campaign', useWithLeftOut(NEW_CAMPAIGN), {}, isEmpty);
  const { template, chosen } = useChosenTemplate(form.templateId);
  const [file, setFile] = useState<ChosenFile | null>(null);
  return (
    <>
      <PageHeader title={t('New campaign')} lead={t('Send one message to everyone in a spreadsheet.')} />
      {template.isError && form.templateId !== '' && !chosen ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <Campaign key={form.key} template={chosen} form={form} chosen={file} onChosen={setFile} />
      )}
    </>
  );
}

function Campaign({
  template,
  form,
  chosen,
  onChosen,
}: {
  template: TemplateDto | null;
  form: SendForm<CampaignDraft>;
  /** Stays when another template is chosen, and is checked against that. */
  chosen: ChosenFile | null;
  onChosen: (chosen: ChosenFile | null) => void;
}) {
  const { value, change, draft } = form;
  const { name, options, leftOut, onePerPerson } = value;
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [sent, setSent] = useState(0);
  /** The job whose people the warning about it has left out. */
  const [jobLeftOut, setJobLeftOut] = useState('');
  // Invalid options, such as a start in the past, are not sent to the check.
  const [timing, setTiming] = useState(() => timingOf(problemOf(options, new Date()) === null ? options : SEND_NOW));
  const file = chosen?.file ?? null;
  const empty = file && emptyFile(file);
  const given = extras ?? (template && extrasOf(template, value.extras));
  const changeOptions = (next: SendOptions) => {
    change({ options: next });
    if (problemOf(next, new Date()) === null) setTiming(timingOf(next));
  };
  const sender = useSenderChoice(template, value.senderId, (senderId) => change({ senderId }));
  const extraFields = given?.fields ?? {};
  const isSettled = JSON.stringify(useDebounced(extraFields)) === JSON.stringify(extraFields);
  const fields = useMemo(() => (template ? columnFieldsOf(template) : []), [template]);
  const missingOf = (columns: Mapping) => firstMissing(given, hasMediaColumn(columns));
  const check = useColumnCheck<FileCheckDto>({
    path: '/bulk-import-messages',
    chosen: template && !empty ? chosen : null,
    request: {
      templateName: template?.name,
      languageCode: template?.languageCode,
      senderId: sender.senderId,
      ...extraFields,
      ...timing,
      ...leftOutFields(leftOut),
      ...(onePerPerson && { onDuplicates: 'onePerPerson' }),
    },
    language: template ? cellLanguageOf(template.languageCode) : undefined,
    fields,
    purpose: template?.id ?? '',
    family: template?.name,
    isReadable: isSettled && firstMissing(given, true) === undefined,
    isComplete: (columns) => missingOf(columns) === undefined,
  });
  const { sources, mapping, missing, form: request, result: found } = check;
  const isUnread = file !== null && !empty && sources.length === 0;
  const missed = isUnread
    ? firstMissing(given, true)
    : sources.length > 0 && missing.length === 0
      ? missingOf(mapping)
      : undefined;
  const fileWaits = check.isChecking ? t('The file is being checked.') : (missed?.first ?? t('Add recipients first.'));
  const checkWaits =
    sources.length === 0 || check.isChecking ? fileWaits : (missed?.first ?? t('Choose the columns first.'));
  const { send, sending, error } = useJobSend(
    useCallback(
      (input: Record<string, File | string | object | undefined>, idempotencyKey: string, signal: AbortSignal) =>
        upload<CreatedJobDto>('/bulk-import-messages', input, { idempotencyKey, signal, onProgress: setSent }),
      [],
    ),
    form.finish,
    draft.place,
  );
  const phoneText = usePhoneText();
  const hasRecipients = found !== undefined && validRecipients(found) > 0;
  const sample = found?.sample[0];
  const exampleOf = (key: string) => {
    if (key === 'phone') return sample && (sample.phone ? phoneText(sample.phone) : sample.userId);
    return key.startsWith('values.') ? sample?.parameters[Number(key.slice('values.'.length))] : undefined;
  };
  const phoneColumn = columnOfError('phone', mapping, sources);
  const asksCountry = check.country === '' && lacksCountry(found?.errors ?? [], phoneColumn);
  const before = file &&
    template && { fileName: file.name, templateName: template.name, notReachedBy: leftOut.notReachedBy };
  const rejected = empty || (check.error ? rejectedFile(check.error) : null);
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            key={chosen?.number}
            template={template}
            rows={found ? previewRowsOf(found, mapping, sources) : []}
            given={given}
            sender={sender}
            country={check.country}
          />
        )
      }
    >
      <DraftNote
        draft={draft}
        fileName={file ? undefined : value.fileName}
        onStartOver={() => {
          onChosen(null);
          form.startOver();
        }}
      />
      <NameAndTemplateStep
        {...{ template, sender, missed }}
        form={{
          ...form,
          chooseTemplate: (next) => {
            if (chosen && template) onChosen({ ...chosen, columns: check.chosenColumns, place: check.chosenPlace });
            form.chooseTemplate(next);
          },
        }}
        isComplete={missingOf(mapping) === undefined}
        error={error ?? check.error}
        onExtras={setExtras}
      />
      <Step
        number={2}
        title={t('Recipients')}
        done={mapping.phone !== undefined}
        waits={!template && t('Choose a template first.')}
      >
        {template && (
          <>
            <FileDrop
              label={t('Drop your spreadsheet here')}
              hint={t('Excel or CSV, as it is: you choose which column is what.')}
              accept={ACCEPT}
              file={file}
              onFile={(next) => {
                if (!next) return;
                onChosen({ file: next, number: (chosen?.number ?? 0) + 1, earlierPlace: check.chosenPlace });
                change({ fileName: next.name });
              }}
              disabled={sending}
            />
            <ListPlaceFields check={check} disabled={sending} />
            <LeaveOutFields
              key={jobLeftOut}
              leftOut={leftOut}
              takesFocus={jobLeftOut !== ''}
              onChange={(next) => change({ leftOut: { ...leftOut, ...next } })}
            />
            {check.isChecking && (
              <UploadProgress
                sent={check.sent}
                uploading={t('The file is only checked; nothing is sent yet.')}
                working={t('Checking rows…')}
              />
            )}
            {rejected && <RejectedFileNote rejected={rejected} />}
            {check.error !== null && !rejected && (
              <>
                <ErrorLine error={check.error} />
                <div className="row">
                  <Button icon="retry" onClick={check.checkAgain}>
                    {t('Check again')}
                  </Button>
                </div>
              </>
            )}
            {request === null && <SampleFiles template={template} />}
          </>
        )}
      </Step>
      <Step
        number={3}
        title={t('Columns')}
        done={request !== null && !check.isUncertain}
        waits={sources.length === 0 && fileWaits}
      >
        <ColumnMappingFields
          check={check}
          fields={fields}
          exampleOf={exampleOf}
          unused={(columns) => t('Not used by this template, only kept for the report: {columns}.', { columns })}
          disabled={sending}
        />
        {(check.showsCountry || asksCountry) && <CountryField country={check.country} onChange={check.setCountry} />}
        {missed && (
          <p className="hint">
            {missed.need === 'headerMedia'
              ? t('The message header is incomplete: add it above, or choose a column with it.')
              : missed.first}
          </p>
        )}
      </Step>
      <Step number={4} title={t('Check')} done={hasRecipients} waits={!found && checkWaits}>
        {found && file && !hasRecipients && (
          <>
            <RejectedFileNote
              rejected={noUsableRows({
                total: found.totalRecipients,
                errors: found.errors,
                phoneColumn: sources[phoneColumn]?.label ?? '',
                asksCountry,
                leftOut: found.leftOut ?? 0,
              })}
            />
            <FileRows found={found} check={check} file={file} />
          </>
        )}
        {hasRecipients && asksCountry && <Note tone="warning">{COUNTRY_MISSING}</Note>}
        {found && hasRecipients && before && (
          <SentBefore
            {...before}
            onLeaveOut={(jobId) => {
              setJobLeftOut(jobId);
              change({ leftOut: { ...leftOut, notReachedBy: [...leftOut.notReachedBy, jobId] } });
            }}
          />
        )}
        {found && file && hasRecipients && (
          <CheckView
            check={found}
            options={options}
            rows={<FileRows found={found} check={check} file={file} />}
            advice={t(
              'You can send to the other rows now; the job report lists the invalid rows. Or correct the file and drop it again.',
            )}
            onCountry={check.setCountry}
            onePerPerson={{
              isChosen: onePerPerson,
              onChange: (isChosen) => change({ onePerPerson: isChosen }),
            }}
          />
        )}
      </Step>
      <Step
        number={5}
        title={t('Schedule')}
        waits={!hasRecipients && (found ? t('No recipient can be used yet.') : checkWaits)}
      >
        {hasRecipients && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        check={hasRecipients ? found : undefined}
        name={name.trim()}
        templateName={template?.name ?? ''}
        options={options}
        offerEndsAt={given?.fields.offerExpiresAt}
        checking={check.isChecking}
        guesses={check.isUncertain ? guessedColumns(fields, mapping, sources, exampleOf) : undefined}
        stale={check.isStale}
        warning={asksCountry ? COUNTRY_MISSING : undefined}
        caution={before && <SentBefore {...before} />}
        onCheckAgain={check.checkAgain}
        sending={sending}
        sent={sent}
        error={error}
        onSend={(summary) => {
          setSent(0);
          // A person has seen them in the confirmation.
          if (check.isUncertain) check.confirm();
          const hold = options.hold ? 'true' : undefined;
          send({ ...request, name: name.trim(), hold, file: file ?? undefined }, summary);
        }}
      />
    </Steps>
  );
}

function RejectedFileNote({ rejected: { title, remedy, detail } }: { rejected: RejectedFile }) {
  return (
    <div className="note" data-tone="danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p>{remedy}</p>
        {detail && (
          <p className="hint">
            <ServiceText text={detail} />
          </p>
        )}
      </div>
    </div>
  );
}
