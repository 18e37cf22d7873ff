import { useQuery } from '@tanstack/react-query';
import { getTemplate } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';

/** Reads the template that the address names; `chosen` is null while it is not there, or where none is named. */
export function useChosenTemplate(templateId: string) {
  const template = useQuery({
    queryKey: ['template', templateId],
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    enabled: templateId !== '',
  });
  return { template, chosen: template.data?.id === templateId ? template.data : null };
}
