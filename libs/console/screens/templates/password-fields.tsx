import type { ReactNode } from 'react';
import type { ButtonDraftDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { Select } from '../../ui/select';
import { Switch } from '../../ui/switch';

const DELIVERIES = [
  { value: 'CopyCode', label: t('The person copies the code') },
  { value: 'OneTap', label: t('A tap fills it in, in your Android app') },
  { value: 'ZeroTap', label: t('Your Android app fills it in without a tap') },
] as const;
const MOST_APPS = 5;
const NO_APP = { packageName: '', signatureHash: '' };

/** How a one-time password gets into an app. */
export function PasswordFields({
  button: { otpType = 'CopyCode', autofillText = '', supportedApps = [NO_APP], zeroTapTermsAccepted = false },
  field,
  problem,
  onChange,
}: {
  button: ButtonDraftDto;
  /** The name of the button, such as `buttons[0]`. */
  field: string;
  problem: (field: string) => ReactNode;
  onChange: (changed: Partial<ButtonDraftDto>) => void;
}) {
  const changeApp = (index: number, changed: Partial<typeof NO_APP>) =>
    onChange({ supportedApps: supportedApps.map((app, at) => (at === index ? { ...app, ...changed } : app)) });
  return (
    <div className="stack">
      <Select
        label={t('Delivery of the code')}
        value={otpType}
        choices={DELIVERIES}
        error={problem(`${field}.otpType`)}
        onChange={(chosen) => onChange({ otpType: chosen, ...(chosen !== 'CopyCode' && { supportedApps }) })}
      />
      {otpType !== 'CopyCode' && (
        <>
          <Input
            label={t('Label of the autofill button')}
            name={`${field}.autofillText`}
            value={autofillText}
            dir="auto"
            hint={t('Empty: WhatsApp labels it in the language of the template.')}
            error={problem(`${field}.autofillText`)}
            onChange={(text) => onChange({ autofillText: text })}
          />
          {supportedApps.map(({ packageName, signatureHash }, index) => {
            const app = `${field}.supportedApps[${index}]`;
            return (
              <div key={index} className="send-fields">
                <Input
                  label={t('Package name of app {number, number}', { number: index + 1 })}
                  name={`${app}.packageName`}
                  value={packageName}
                  placeholder="com.example.app"
                  error={problem(`${app}.packageName`)}
                  onChange={(text) => changeApp(index, { packageName: text.trim() })}
                />
                <Input
                  label={t('Signing key hash of app {number, number}', { number: index + 1 })}
                  name={`${app}.signatureHash`}
                  value={signatureHash}
                  hint={t('11 characters.')}
                  error={problem(`${app}.signatureHash`)}
                  onChange={(text) => changeApp(index, { signatureHash: text.trim() })}
                />
              </div>
            );
          })}
          {supportedApps.length < MOST_APPS && (
            <div className="row">
              <Button small icon="plus" onClick={() => onChange({ supportedApps: [...supportedApps, NO_APP] })}>
                {t('Add an app')}
              </Button>
            </div>
          )}
          {otpType === 'ZeroTap' && (
            <>
              <Switch
                label={t('I accept WhatsApp’s terms for codes without a tap')}
                checked={zeroTapTermsAccepted}
                onChange={(accepted) => onChange({ zeroTapTermsAccepted: accepted })}
              />
              {problem(`${field}.zeroTapTermsAccepted`) && (
                <p className="field-error">{problem(`${field}.zeroTapTermsAccepted`)}</p>
              )}
            </>
          )}
        </>
      )}
    </div>
  );
}
