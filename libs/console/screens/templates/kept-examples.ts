import { placeOf, readDraft, writeDraft } from '../../app/drafts';
import { useSession } from '../../app/session';

/**
 * The examples of submitted templates, as `previewOf` lists them. The service does not store them, so they are kept in this tab, as long as
 * a draft: a review takes up to a day.
 */
export function useKeptExamples(): {
  examplesOf: (templateId: string) => readonly string[];
  keep: (templateId: string, values: readonly string[]) => void;
} {
  const { account } = useSession();
  const placeOfTemplate = (templateId: string) => placeOf(account.id, `template.examples.${templateId}`);
  return {
    examplesOf: (templateId) => (readDraft(placeOfTemplate(templateId)) as readonly string[] | null) ?? [],
    keep: (templateId, values) => writeDraft(placeOfTemplate(templateId), values),
  };
}
