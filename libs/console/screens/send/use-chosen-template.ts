import { useQuery } from '@tanstack/react-query';
import { getTemplate } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';

/** The template selected in the URL; `chosen` is null while loading or if none is selected. */
export function useChosenTemplate(templateId: string) {
  const template = useQuery({
    queryKey: queryKeys.templates.one(templateId),
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    enabled: templateId !== '',
  });
  return { template, chosen: template.data?.id === templateId ? template.data : null };
}
