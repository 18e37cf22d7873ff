import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { sendTemplate } from '../../../client/generated/sdk.gen';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { phoneDigits } from '../../../client/phone-digits';
import { call } from '../../api/call';
import { problemOfPhone, withCallingCode } from '../../app/calling-codes';
import { useNumberCountry } from '../../app/columns/default-country';
import { OWN_NUMBER } from '../../app/drafts';
import { useSendOnce } from '../../app/send-once';
import { StateBadge } from '../../app/state-badge';
import { MESSAGE_MEANINGS } from '../../app/states';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { Link } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { ErrorLine } from '../../ui/states';
import { store, stored } from '../../ui/storage';
import { ProblemText } from '../job/problem-text';
import type { PreviewRow } from './campaign-columns';
import type { SendExtras } from './send-extras';
import { useSentMessage } from './use-sent-message';

type Body = NonNullable<Parameters<typeof sendTemplate>[0]>['body'];
type Fields = SendExtras['fields'];

/** What the rows of a preview are: rows of a file, or contacts of a group. */
export type RowsOf = 'file' | 'group';

/** What people call a row. */
export function rowName(of: RowsOf, number: number): string {
  return of === 'file' ? t('Row {number, number}', { number }) : t('Contact {number, number}', { number });
}

/** Sends the message of a row, with its values, to the person's own number. */
export function TestSend({
  template,
  row,
  of,
  isOtherRow,
  country,
  extras,
  senderId,
  onSend,
}: {
  template: TemplateDto;
  row: PreviewRow;
  of: RowsOf;
  /** The row is not the one shown, which cannot be sent. */
  isOtherRow: boolean;
  /** ISO 3166 country of the numbers of the file; empty: none chosen. */
  country: string;
  extras: Fields;
  senderId: string | undefined;
  /** Called at the same time as the message is sent. */
  onSend: () => void;
}) {
  const [to, setTo] = useState(() => stored(OWN_NUMBER) ?? '');
  const [sent, setSent] = useState<{ message: SentMessageDto; rowNumber: number } | null>(null);
  const once = useSendOnce(
    useCallback(
      (body: Body, idempotencyKey: string, pauseSignal?: AbortSignal) =>
        call(sendTemplate, { body }, { idempotencyKey, pauseSignal }),
      [],
    ),
  );
  const { rowNumber } = row;
  const test = useMutation({
    mutationFn: async (body: Body) => ({ message: await once(body), rowNumber }),
    onSuccess: setSent,
  });
  const home = useNumberCountry();
  const number = withCallingCode(to, country || home.country);
  const problem = to.trim() === '' ? null : problemOfPhone(number);
  const digits = problem === null ? phoneDigits(number) : null;
  return (
    <form
      className="send-test"
      aria-label={t('Test message')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!digits || test.isPending) return;
        store(OWN_NUMBER, `+${digits}`);
        setSent(null);
        onSend();
        test.mutate(testBody(template, row, { extras, senderId, to: digits }));
      }}
    >
      <Input
        label={t('Your own number')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="+49 151 12345678"
        dir="ltr"
        value={to}
        error={problem ?? undefined}
        hint={hintOf(of, rowNumber, isOtherRow)}
        onChange={(next) => {
          setTo(next);
          if (next.trim() === '') store(OWN_NUMBER, null);
        }}
      />
      <Button type="submit" icon="send" busy={test.isPending} disabled={!digits}>
        {t('Send a test to myself')}
      </Button>
      {test.isError && <ErrorLine error={test.error} />}
      {sent && <TestOutcome key={sent.message.messageId} {...sent} of={of} />}
    </form>
  );
}

function hintOf(of: RowsOf, row: number, isOtherRow: boolean): string {
  if (of === 'group') {
    return t('A real message with the values of contact {row, number}. This browser remembers the number.', { row });
  }
  return isOtherRow
    ? t(
        'A real message with the values of row {row, number}, the first that can be sent. This browser remembers the number.',
        { row },
      )
    : t('A real message with the values of row {row, number}. This browser remembers the number.', { row });
}

function TestOutcome({ message: sent, rowNumber, of }: { message: SentMessageDto; rowNumber: number; of: RowsOf }) {
  const message = useSentMessage(sent);
  const { status } = message.data ?? sent;
  return (
    <div className="send-test-outcome" role="status">
      <p>
        {rich('{row} to {phone}', { row: rowName(of, rowNumber), phone: <PhoneNumber value={sent.to ?? ''} /> })}{' '}
        <StateBadge state={status} />
      </p>
      <p className="hint">
        {message.data?.error ? <ProblemText {...message.data.error} /> : `${MESSAGE_MEANINGS[status]}.`}{' '}
        {message.data && <Link to={`/messages/${sent.messageId}`}>{t('Open message')}</Link>}
      </p>
    </div>
  );
}

/** The single send with exactly what the row gets: its own media replaces that for all, its payloads win. */
function testBody(
  { name: templateName, languageCode }: TemplateDto,
  { values, extras: ofRow = {} }: PreviewRow,
  { extras, senderId, to }: { extras: Fields; senderId: string | undefined; to: string },
): Body {
  const { flowToken, ...own } = ofRow;
  const hasOwnMedia = own.headerMediaId !== undefined || own.headerMediaUrl !== undefined;
  return {
    ...{ to, templateName, languageCode, senderId },
    templateParameters: values.map((text) => ({ text })),
    ...extras,
    ...(hasOwnMedia && { headerMediaId: undefined, headerMediaUrl: undefined }),
    ...own,
    ...(flowToken !== undefined && { flow: { token: flowToken } }),
  };
}
