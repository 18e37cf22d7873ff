import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { MessageDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import { useObjectUrl } from '../../ui/object-url';

/** Keeps a picture that this tab sent, for its message: the service does not store sent files. */
export function keepSentPicture(queries: QueryClient, messageId: string, file: File): void {
  if (file.type.startsWith('image/')) queries.setQueryData<Blob>(queryKeys.media(messageId), file);
}

/** The URL of a picture that this tab sent; null if it was sent elsewhere. */
export function useSentPicture({ id, direction, content }: MessageDto): string | null {
  const isSent = direction === 'Outbound' && content?.media !== undefined;
  const { data } = useQuery<Blob>({
    queryKey: isSent ? queryKeys.media(id) : ['media'],
    queryFn: skipToken,
    gcTime: Infinity,
  });
  return useObjectUrl(isSent ? data : undefined);
}
