import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getOptOutKeywords, replaceOptOutKeywords } from '../../../client/generated/sdk.gen';
import type { OptOutKeywordsDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded } from '../../ui/states';
import { sayDone } from '../../ui/toast';

const KEY = ['opt-outs', 'keywords'];

/** The words with which people opt out and in by themselves. */
export function Keywords({ mayManage }: { mayManage: boolean }) {
  const [isChanging, setChanging] = useState(false);
  const keywords = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(getOptOutKeywords, {}, { signal }) });
  return (
    <Panel
      title="Words that opt people out and in"
      actions={mayManage && keywords.data && <Button onClick={() => setChanging(true)}>Change the words</Button>}
    >
      <p className="hint">
        A message that is nothing but such a word counts, in any case and with punctuation around it (“stop!”). A
        sentence does not.
      </p>
      <Loaded query={keywords}>
        {({ optOutKeywords, optInKeywords }) => (
          <Facts>
            <Fact label="Out">{optOutKeywords.join(', ')}</Fact>
            <Fact label="In again">{optInKeywords.join(', ')}</Fact>
          </Facts>
        )}
      </Loaded>
      {isChanging && keywords.data && <Change keywords={keywords.data} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

function Change({ keywords, onClose }: { keywords: OptOutKeywordsDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [out, setOut] = useState(keywords.optOutKeywords.join('\n'));
  const [again, setAgain] = useState(keywords.optInKeywords.join('\n'));
  const saved = useMutation({
    mutationFn: () => {
      return call(replaceOptOutKeywords, { body: { optOutKeywords: linesOf(out), optInKeywords: linesOf(again) } });
    },
    onSuccess: (kept) => {
      queries.setQueryData(KEY, kept);
      sayDone('The words are saved');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Words that opt people out and in"
      lead="One a line, in as many languages as you need. STOP and START always count. Messages that came before are not looked at again."
      action="Save"
      work={saved}
      onSubmit={() => saved.mutate()}
      onClose={onClose}
    >
      <TextArea label="Out" rows={6} dir="auto" value={out} onChange={setOut} />
      <TextArea label="In again" rows={3} dir="auto" value={again} onChange={setAgain} />
    </FormDialog>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
