import type { ReactNode } from 'react';
import { share } from './format';
import { ProgressBar } from './progress-bar';
import { useLate } from './use-late';
import { t } from '../language/translate';

/** An upload in progress: its share, then what the service does with the file, and after five seconds that this is normal. */
export function UploadProgress({
  sent,
  uploading,
  working,
}: {
  /** Uploaded share, 0 to 1. */
  sent: number;
  uploading?: string;
  working: string;
}) {
  return (
    <div>
      <ProgressBar label={t('Upload')} total={1} parts={[{ label: t('sent'), value: sent, tone: 'active' }]} moving />
      <p className="hint" role="status">
        {sent < 1 ? (
          [t('Uploading: {share}', { share: share(sent, 1) }), uploading].join(' ')
        ) : (
          <Working>{working}</Working>
        )}
      </p>
    </div>
  );
}

function Working({ children }: { children: ReactNode }) {
  const isLate = useLate();
  return (
    <>
      {children} {isLate && t('A large file takes up to a minute.')}
    </>
  );
}
