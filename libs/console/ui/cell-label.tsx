import { t } from '../language/translate';

/** The head of its column for screen readers, in a cell of a list whose heads they cannot read. */
export function CellLabel({ label }: { label: string }) {
  return <span className="visually-hidden">{t('{label}:', { label })} </span>;
}
