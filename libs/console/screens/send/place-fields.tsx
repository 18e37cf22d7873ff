import type { ReactNode } from 'react';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import { coordinateOf, type Place } from './send-extras';

const NO_PLACE: Place = { name: '', address: '', latitude: '', longitude: '' };

/** The fields for the location of a header. */
export function PlaceFields({
  place = NO_PLACE,
  problem,
  onChange,
}: {
  place?: Place;
  problem: ReactNode;
  onChange: (place: Place) => void;
}) {
  const change = (changed: Partial<Place>) => onChange({ ...place, ...changed });
  const wrong = (text: string, most: number) =>
    text !== '' && coordinateOf(text, most) === null
      ? t('Enter a number from -{most} to {most}.', { most })
      : undefined;
  return (
    <div className="send-fields">
      <Input label={t('Location name')} value={place.name} onChange={(name) => change({ name })} />
      <Input label={t('Location address')} value={place.address} onChange={(address) => change({ address })} />
      <Input
        label={t('Latitude')}
        inputMode="decimal"
        placeholder="52.5200"
        value={place.latitude}
        error={wrong(place.latitude, 90)}
        onChange={(latitude) => change({ latitude })}
      />
      <Input
        label={t('Longitude')}
        inputMode="decimal"
        placeholder="13.4050"
        value={place.longitude}
        error={wrong(place.longitude, 180)}
        onChange={(longitude) => change({ longitude })}
      />
      {problem && <p className="field-error">{problem}</p>}
    </div>
  );
}
