import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getOptOutKeywords, replaceOptOutKeywords } from '../../../client/generated/sdk.gen';
import type { OptOutKeywordsDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { ALWAYS_IN_KEYWORD, ALWAYS_OUT_KEYWORDS } from './every-account';

/** The opt-out and opt-in keywords of the account. */
export function Keywords({ canManage }: { canManage: boolean }) {
  const [isChanging, setChanging] = useState(false);
  const keywords = useQuery({
    queryKey: queryKeys.optOuts.keywords,
    queryFn: ({ signal }) => call(getOptOutKeywords, {}, { signal }),
  });
  return (
    <Panel
      title={t('Opt-out and opt-in keywords')}
      actions={canManage && keywords.data && <Button onClick={() => setChanging(true)}>{t('Edit keywords')}</Button>}
    >
      <p className="hint">
        {t(
          'A message takes effect only if it consists of nothing but a keyword. Case and punctuation are ignored (“stop!”).',
        )}
      </p>
      <Loaded query={keywords}>
        {({ optOutKeywords, optInKeywords }) => (
          <Facts>
            <Fact label={t('Opt-out')}>{optOutKeywords.join(', ')}</Fact>
            <Fact label={t('Opt-in')}>{optInKeywords.join(', ')}</Fact>
            <Fact label={t('Opt-out, always')}>{ALWAYS_OUT_KEYWORDS.join(', ')}</Fact>
            <Fact label={t('Opt-in, always')}>{ALWAYS_IN_KEYWORD}</Fact>
          </Facts>
        )}
      </Loaded>
      {isChanging && keywords.data && <EditKeywords keywords={keywords.data} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

function EditKeywords({ keywords, onClose }: { keywords: OptOutKeywordsDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [optOut, setOptOut] = useState(keywords.optOutKeywords.join('\n'));
  const [optIn, setOptIn] = useState(keywords.optInKeywords.join('\n'));
  const saved = useMutation({
    mutationFn: () => {
      return call(replaceOptOutKeywords, { body: { optOutKeywords: linesOf(optOut), optInKeywords: linesOf(optIn) } });
    },
    onSuccess: (kept) => {
      queries.setQueryData(queryKeys.optOuts.keywords, kept);
      showToast(t('Keywords saved'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Opt-out and opt-in keywords')}
      lead={t(
        'One per line, in as many languages as you need. {keywords} and START always work. Earlier messages are not affected.',
        { keywords: ALWAYS_OUT_KEYWORDS.join(', ') },
      )}
      action={t('Save')}
      mutation={saved}
      onSubmit={() => saved.mutate()}
      onClose={onClose}
    >
      <TextArea label={t('Opt-out keywords')} rows={6} dir="auto" value={optOut} onChange={setOptOut} />
      <TextArea label={t('Opt-in keywords')} rows={3} dir="auto" value={optIn} onChange={setOptIn} />
    </FormDialog>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
