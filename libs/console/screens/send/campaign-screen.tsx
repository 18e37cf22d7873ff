import { useCallback, useMemo, useState } from 'react';
import type { CreatedJobDto, FileCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { upload } from '../../api/upload';
import { columnOfError } from '../../app/columns/column-mapping';
import { ColumnMappingFields } from '../../app/columns/column-mapping-fields';
import { CountryField, lacksCountry } from '../../app/columns/country-field';
import { type ChosenFile, useColumnCheck } from '../../app/columns/use-column-check';
import { useUrlFilters } from '../../app/url-filters';
import { Button } from '../../ui/button';
import { FileDrop } from '../../ui/file-drop';
import { Icon } from '../../ui/icon';
import { PageHeader } from '../../ui/page-header';
import { ProgressBar } from '../../ui/progress-bar';
import { ErrorLine, ErrorState } from '../../ui/states';
import { columnFieldsOf, hasMediaColumn, previewRowsOf } from './campaign-columns';
import { CheckView, reached } from './check-view';
import { FileRows } from './file-rows';
import { firstExtras, type SendExtras } from './header-extras';
import { OptionsFields } from './options-fields';
import { emptyFile, noUsableRows, rejectedFile, type RejectedFile } from './rejected-file';
import { SampleBubbles } from './sample-bubbles';
import { SampleFiles } from './sample-files';
import { problemOf, SEND_NOW, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';

const ACCEPT = '.xlsx,.xls,.csv,.txt,text/csv';

/** Sends a template to a spreadsheet: choose a template, drop a file, check, confirm. */
export default function CampaignScreen() {
  const [{ template: templateId }, setFilters] = useUrlFilters({ template: '' });
  const { template, chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="New campaign" lead="Send one message to everyone in a spreadsheet." />
      {template.isError && templateId !== '' && !chosen ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <Campaign key={templateId} template={chosen} onTemplate={(next) => setFilters({ template: next?.id ?? '' })} />
      )}
    </>
  );
}

function Campaign({
  template,
  onTemplate,
}: {
  template: TemplateDto | null;
  onTemplate: (template: TemplateDto | null) => void;
}) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [options, setOptions] = useState(SEND_NOW);
  const [sent, setSent] = useState(0);
  // Invalid options, such as a start in the past, are not sent to the check.
  const [timing, setTiming] = useState(timingOf(SEND_NOW));
  const file = chosen?.file ?? null;
  const empty = file && emptyFile(file);
  const given = extras ?? (template && firstExtras(template));
  const changeOptions = (next: SendOptions) => {
    setOptions(next);
    if (problemOf(next, new Date()) === null) setTiming(timingOf(next));
  };
  const fields = useMemo(() => (template ? columnFieldsOf(template) : []), [template]);
  const check = useColumnCheck<FileCheckDto>({
    path: '/bulk-import-messages',
    chosen: template && !empty ? chosen : null,
    request: {
      templateName: template?.name,
      languageCode: template?.languageCode,
      ...(given?.complete && given.fields),
      ...timing,
    },
    fields,
    purpose: template?.id ?? '',
    isComplete: (columns) => given?.complete === true || hasMediaColumn(columns),
  });
  const { sources, mapping, missing, form, result: found } = check;
  const { send, sending, error } = useJobSend(
    useCallback(
      (input: Record<string, File | string | object | undefined>, idempotencyKey: string, signal: AbortSignal) =>
        upload<CreatedJobDto>('/bulk-import-messages', input, { idempotencyKey, signal, onProgress: setSent }),
      [],
    ),
  );
  const hasRecipients = found !== undefined && found.totalRecipients > found.invalidRows;
  const sample = found?.sample[0];
  const exampleOf = (key: string) => {
    if (key === 'phone') return sample && (sample.phone ? `+${sample.phone}` : sample.userId);
    return key.startsWith('values.') ? sample?.parameters[Number(key.slice('values.'.length))] : undefined;
  };
  const phoneColumn = columnOfError('phone', mapping, sources);
  const rejected = empty || (check.error ? rejectedFile(check.error) : null);
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            key={chosen?.number}
            template={template}
            rows={found ? previewRowsOf(found, mapping, sources) : []}
            extras={given?.bubble ?? {}}
          />
        )
      }
    >
      <Step number={1} title="Template" done={template !== null}>
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
      </Step>
      <Step number={2} title="Recipients" done={sources.length > 0} waits={!template && 'Choose a template first.'}>
        {template && (
          <>
            <FileDrop
              label="Drop your spreadsheet here"
              hint="Excel or CSV, as it is: you choose which column is what."
              accept={ACCEPT}
              file={file}
              onFile={(next) => next && setChosen({ file: next, number: (chosen?.number ?? 0) + 1 })}
              disabled={sending}
            />
            {check.isChecking && (
              <div role="status">
                <ProgressBar
                  label="Upload"
                  total={1}
                  parts={[{ label: 'sent', value: check.sent, tone: 'active' }]}
                  moving
                />
                <p className="hint">
                  {check.sent < 1 ? 'Uploading the file for a check. Nothing is sent yet.' : 'Checking rows…'}
                </p>
              </div>
            )}
            {rejected && <RejectedFileNote rejected={rejected} />}
            {check.error !== null && !rejected && (
              <>
                <ErrorLine error={check.error} />
                <div className="row">
                  <Button icon="retry" onClick={check.checkAgain}>
                    Check again
                  </Button>
                </div>
              </>
            )}
            {form === null && <SampleFiles template={template} />}
          </>
        )}
      </Step>
      <Step
        number={3}
        title="Columns"
        done={form !== null && !check.isUncertain}
        waits={sources.length === 0 && 'Add recipients first.'}
      >
        <ColumnMappingFields
          check={check}
          fields={fields}
          exampleOf={exampleOf}
          unused="Not used by this template, only kept for the report"
          disabled={sending}
        />
        {(check.country !== '' || lacksCountry(found?.errors ?? [], phoneColumn)) && (
          <CountryField country={check.country} onChange={check.setCountry} />
        )}
        {missing.length === 0 && form === null && (
          <p className="hint">The message header is incomplete: add it above, or choose a column with it.</p>
        )}
      </Step>
      <Step number={4} title="Check" done={hasRecipients} waits={!found && 'Choose the columns first.'}>
        {found && file && !hasRecipients && (
          <>
            <RejectedFileNote
              rejected={noUsableRows(found.totalRecipients, found.errors, sources[phoneColumn]?.label ?? '')}
            />
            <FileRows found={found} check={check} file={file} />
          </>
        )}
        {found && file && hasRecipients && (
          <CheckView
            check={found}
            rows={<FileRows found={found} check={check} file={file} />}
            advice="You can send to the other rows now; the job report lists the invalid rows. Or correct the file and drop it again."
          />
        )}
      </Step>
      <Step number={5} title="Schedule" waits={!hasRecipients && 'Add recipients first.'}>
        {hasRecipients && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        people={hasRecipients ? reached(found) : undefined}
        templateName={template?.name ?? ''}
        options={options}
        checking={check.isChecking}
        unconfirmed={check.isUncertain}
        stale={check.isStale}
        onCheckAgain={check.checkAgain}
        sending={sending}
        sent={sent}
        error={error}
        onSend={() => {
          const { reference, hold } = options;
          setSent(0);
          send({ ...form, reference, hold: hold ? 'true' : undefined, file: file ?? undefined });
        }}
      />
    </Steps>
  );
}

function RejectedFileNote({ rejected: { title, remedy } }: { rejected: RejectedFile }) {
  return (
    <div className="note" data-tone="danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p>{remedy}</p>
      </div>
    </div>
  );
}
