/** Props of a screen: its path parameters, such as `{ jobId }`. */
export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}
