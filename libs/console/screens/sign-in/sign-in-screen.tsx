import { type SubmitEvent, useState, useSyncExternalStore } from 'react';
import { hasDrafts } from '../../app/drafts';
import { useSignIn } from '../../app/session';
import { onSessionEnd, sessionEnd } from '../../app/session-end';
import { asMessagingError } from '../../api/call';
import { TestMode } from '../../app/test-mode';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { LanguageSwitch } from '../../ui/language-switch';
import { ErrorLine, Note } from '../../ui/states';

/** The sign-in form. The API key is exchanged for an HttpOnly cookie and not stored. */
export function SignInScreen() {
  const signIn = useSignIn();
  const [apiKey, setApiKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || apiKey.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      await signIn(apiKey.trim());
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };

  const ended = useSyncExternalStore(onSessionEnd, sessionEnd);
  const isWrong = error !== null && asMessagingError(error).statusCode === 401;
  return (
    <main className="alone">
      <title>{t('Sign in · Messaging console')}</title>
      <form className="sign-in" onSubmit={(event) => void submit(event)}>
        <h1>{t('Messaging console')}</h1>
        <TestMode />
        {ended && (
          <div role="status">
            <Note tone="warning">
              {ended}
              {hasDrafts() && <> {t('What you typed is kept. Sign in with a key of the same account to continue.')}</>}
            </Note>
          </div>
        )}
        <p className="lead">{t('Sign in with an API key of your account. What you see depends on its scopes.')}</p>
        <Input
          label={t('API key')}
          type="password"
          name="api-key"
          autoComplete="current-password"
          autoFocus
          spellCheck={false}
          value={apiKey}
          onChange={setApiKey}
          error={isWrong ? t('This key is not valid. It may have expired or been revoked.') : undefined}
          hint={t('The first key of a new installation is in the file first-api-key in its data directory.')}
        />
        {error !== null && !isWrong && <ErrorLine error={error} />}
        <Button variant="primary" type="submit" busy={busy}>
          {t('Sign in')}
        </Button>
      </form>
      <LanguageSwitch />
    </main>
  );
}
