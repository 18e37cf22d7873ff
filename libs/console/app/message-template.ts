import { useQuery } from '@tanstack/react-query';
import { listTemplates } from '../../client/generated/sdk.gen';
import type { MessageDto, TemplateDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { useSession } from './session';

/** The template of a message or of a job, with its buttons and what its header shows; undefined: unknown, or no template message. */
export function useMessageTemplate(
  message: Partial<Pick<MessageDto, 'senderId'>> & Pick<MessageDto, 'templateName' | 'languageCode'>,
): TemplateDto | undefined {
  const session = useSession();
  const { templateName, languageCode } = message;
  const senderId = message.senderId ?? undefined;
  const { data } = useQuery({
    queryKey: queryKeys.templates.named(templateName, languageCode, senderId),
    queryFn: async ({ signal }) => {
      const query = { search: templateName!, languageCode: languageCode ?? undefined, senderId, pageSize: 100 };
      const { items } = await call(listTemplates, { query }, { signal });
      return items.find(({ name }) => name === templateName) ?? null;
    },
    enabled: templateName !== null && session.can('templates:read'),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  });
  return data ?? undefined;
}
