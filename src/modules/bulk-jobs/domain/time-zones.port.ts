/** The time zones of the database, by which send windows open and close. */
export abstract class TimeZones {
  /** Whether the database has a time zone of this name; case does not matter. */
  abstract has(name: string): Promise<boolean>;
}
