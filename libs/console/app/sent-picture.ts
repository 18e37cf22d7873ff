import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { MessageDto } from '../../client/generated/types.gen';
import { queryKeys } from '../api/query-keys';
import { useObjectUrl } from '../ui/object-url';

/** Keeps a picture that this tab uploaded, for the messages that show it: the service does not store sent files. */
export function keepSentPicture(queries: QueryClient, mediaId: string, file: File): void {
  if (!file.type.startsWith('image/')) return;
  const key = queryKeys.sentPicture(mediaId);
  // Its message may be opened much later.
  queries.setQueryDefaults(key, { gcTime: Infinity });
  queries.setQueryData<Blob>(key, file);
}

/** The URL of a picture that this tab uploaded; null if it was sent from elsewhere. */
export function useSentPicture({ direction, content }: Pick<MessageDto, 'direction' | 'content'>): string | null {
  const mediaId = (direction === 'Outbound' && content?.media?.mediaId) || null;
  const { data } = useQuery<Blob>({
    queryKey: queryKeys.sentPicture(mediaId),
    queryFn: skipToken,
    gcTime: Infinity,
  });
  return useObjectUrl(mediaId === null ? undefined : data);
}
