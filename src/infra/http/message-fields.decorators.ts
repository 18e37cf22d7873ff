import { applyDecorators } from '@nestjs/common';
import { IsInt, IsNotEmpty, IsString, IsUrl, Matches, Max, MaxLength, Min } from 'class-validator';
import { IsPublicUrl } from './public-url.validator';

/** 30 days. */
export const MOST_VALID_SECONDS = 2_592_000;

/** Exact name of a template. */
export const IsTemplateName = () => applyDecorators(IsString(), IsNotEmpty(), MaxLength(512));

/** Language of a template, as the platform writes it. */
export const IsLanguageCode = () => applyDecorators(IsString(), IsNotEmpty(), MaxLength(20));

/** The client's own name for a message or a job: one line of up to 255 characters. */
export const IsReference = () =>
  applyDecorators(
    IsString(),
    IsNotEmpty(),
    MaxLength(255),
    Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not contain control characters' }),
  );

/** Media id of the platform. */
export const IsMediaId = () =>
  applyDecorators(
    IsString(),
    MaxLength(255),
    Matches(/^[\w.:-]+$/, { message: '$property must be a media id returned by the platform' }),
  );

/** Public URL of a media file, from which the platform fetches it. */
export const IsMediaUrl = () =>
  applyDecorators(
    IsString(),
    MaxLength(2000),
    IsPublicUrl(),
    IsUrl(
      { protocols: ['http', 'https'], require_protocol: true },
      { message: '$property must be a URL that starts with https:// or http://' },
    ),
    Matches(/^[^\s\p{Cc}\p{Cs}]+$/u, { message: '$property must be a URL without spaces' }),
  );

/** Name of a document as the recipient sees it: one line of 1 to 240 characters without slashes. */
export const IsFileName = () =>
  applyDecorators(
    IsString(),
    MaxLength(240),
    Matches(/^[^/\\\p{Cc}\p{Cs}]+$/u, {
      message: '$property must be a file name without slashes and control characters',
    }),
  );

/** Validity in seconds, after which it is no longer sent. */
export const IsValidForSeconds = () => applyDecorators(IsInt(), Min(1), Max(MOST_VALID_SECONDS));
