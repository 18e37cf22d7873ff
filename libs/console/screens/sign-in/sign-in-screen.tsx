import { type SubmitEvent, useState } from 'react';
import { useSignIn } from '../../app/session';
import { asMessagingError } from '../../api/call';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { ErrorLine } from '../../ui/states';

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

  const isWrong = error !== null && asMessagingError(error).statusCode === 401;
  return (
    <main className="alone">
      <title>Sign in · Messaging console</title>
      <form className="sign-in" onSubmit={(event) => void submit(event)}>
        <h1>Messaging console</h1>
        <p className="lead">Sign in with an API key of your account. You see what your key's scopes allow.</p>
        <Input
          label="API key"
          type="password"
          name="api-key"
          autoComplete="current-password"
          autoFocus
          spellCheck={false}
          value={apiKey}
          onChange={setApiKey}
          error={isWrong ? 'This key is not valid. It may have expired or been revoked.' : undefined}
          hint="The first key of a new installation is in the file first-api-key in its data directory."
        />
        {error !== null && !isWrong && <ErrorLine error={error} />}
        <Button variant="primary" type="submit" busy={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
