import { Button } from '../ui/button';
import { Note } from '../ui/states';
import type { Draft } from './use-draft';
import { rich, t } from '../language/translate';

/** Says that a form shows an earlier draft, and offers to start over. `fileName`: of the file that has to be chosen again. */
export function DraftNote<T>({
  draft: { isRestored, discard },
  fileName,
  onStartOver,
}: {
  draft: Draft<T>;
  fileName?: string;
  onStartOver?: () => void;
}) {
  if (!isRestored) return null;
  return (
    <Note>
      <div className="row draft-note">
        <p>
          {fileName
            ? rich('Your draft was restored. Choose <file>{fileName}</file> again: files are not kept.', {
                fileName,
                file: (text) => <bdi>{text}</bdi>,
              })
            : t('Your draft was restored.')}
        </p>
        <Button
          small
          onClick={() => {
            discard();
            onStartOver?.();
          }}
        >
          {t('Start over')}
        </Button>
      </div>
    </Note>
  );
}
