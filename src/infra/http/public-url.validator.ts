import { buildMessage, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';

/** Names that never lead to a host of the internet: RFC 6761, RFC 6762, and what ICANN reserved for private use. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)$/;

/** The host of a web address is public as far as its text tells; nothing is looked up. What is no web address passes. */
export function IsPublicUrl(): PropertyDecorator {
  return ValidateBy({
    name: 'isPublicUrl',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !isPrivate(value),
      defaultMessage: buildMessage(
        (each) =>
          `${each}$property must be a public address: the platform fetches the file from the internet, where this host cannot be reached. Put the file on a public host, or upload it with POST /media and send its media id`,
      ),
    },
  });
}

function isPrivate(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) return false;
  const host = new URL(text).hostname.replace(/^\[|\]$|\.$/g, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return !host.includes('.') || PRIVATE_NAME.test(host);
}
