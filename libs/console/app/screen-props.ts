/** What a screen gets: the parts of its path, such as `{ jobId }`. */
export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}
