/** One data series of a chart. */
export interface Series {
  label: string;
  color: string;
  values: readonly number[];
}

/** The figures of a chart as a table for screen readers; steps where all values are zero are omitted. */
export function FiguresTable({
  label,
  first,
  at,
  series,
  format,
}: {
  label: string;
  first: string;
  at: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  const rows = at.map((_, index) => index).filter((index) => series.some(({ values }) => values[index] !== 0));
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {series.map((one) => (
              <th key={one.label} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((index) => (
            <tr key={index}>
              <th scope="row">{at[index]}</th>
              {series.map((one) => (
                <td key={one.label}>{format(one.values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The legend of a chart, with an optional total per series. */
export function Legend({ series }: { series: readonly { label: string; color: string; total?: string }[] }) {
  return (
    <ul className="chart-legend">
      {series.map(({ label, color, total }) => (
        <li key={label}>
          <span className="chart-key" style={{ background: color }} />
          {label} {total !== undefined && <strong>{total}</strong>}
        </li>
      ))}
    </ul>
  );
}
