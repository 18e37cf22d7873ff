import { buildMessage, ValidateBy } from 'class-validator';
import { isPrivateHost } from '../../public-addresses';
import { parsedUrl } from '../../../kernel/parsed-url';

/** The host of a web address is public, judging by its text, without a lookup. Anything but a web address passes. */
export function IsPublicUrl(): PropertyDecorator {
  return ValidateBy({
    name: 'isPublicUrl',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !isPrivate(value),
      defaultMessage: buildMessage(
        (each) =>
          `${each}$property must be a public address: the platform downloads the file from the internet and cannot ` +
          `reach this host. Put the file on a public host, or upload it with POST /media and send its media id`,
      ),
    },
  });
}

function isPrivate(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? parsedUrl(text) : null;
  return url !== null && isPrivateHost(url.hostname);
}
