/** A time of day with its date and zone, `Tue 1 Dec 09:00 Europe/Berlin`, with the year if it is not this one. */
export function localTime(iso: string, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  });
  const partsOf = (time: Date) =>
    Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value] as const));
  const { weekday, day, month, year, hour, minute } = partsOf(new Date(iso));
  const date = [weekday, day, month, ...(year === partsOf(new Date()).year ? [] : [year])].join(' ');
  return `${date} ${hour}:${minute} ${timeZone}`;
}
