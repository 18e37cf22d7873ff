import { asMessagingError } from '../../api/call';
import { errorTitle } from '../../api/error-title';
import { explanationOf } from '../../api/explanations';
import { t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { ErrorLine, Note, RequestId } from '../../ui/states';

/** Why a reply was not sent: what the platform's refusal means, with its own words as details; other errors as everywhere. */
export function ReplyProblem({ error }: { error: unknown }) {
  const { code, message, requestId } = asMessagingError(error);
  const explanation = explanationOf(code);
  if (!explanation) return <ErrorLine error={error} />;
  return (
    <div role="alert">
      <Note tone="danger">
        <p>
          <strong>{errorTitle(code)}</strong>
        </p>
        <p>
          {explanation.when} {explanation.remedy}
        </p>
        {/* Only the message says what to correct. */}
        <details open={code === 'platform_rejected'}>
          <summary>{t('Details')}</summary>
          <ServiceText text={message} />
          {requestId && (
            <p className="hint">
              <RequestId id={requestId} />
            </p>
          )}
        </details>
      </Note>
    </div>
  );
}
