/** Whether a number ends with some digits, by an index on `reverse(number) COLLATE "C"`; the colon follows the 9. */
export const endsWith = (number: string, digits: string) =>
  `reverse(${number}) COLLATE "C" >= reverse(${digits}) AND reverse(${number}) COLLATE "C" < reverse(${digits}) || ':'`;
