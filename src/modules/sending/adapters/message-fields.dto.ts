import { applyDecorators } from '@nestjs/common';
import { IsInt, IsNotEmpty, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** 30 days. */
export const MAX_VALID_SECONDS = 2_592_000;

/** Exact name of a template. */
export const IsTemplateName = () => applyDecorators(IsString(), IsNotEmpty(), MaxLength(512));

/** Language code of a template, in the platform's format. */
export const IsLanguageCode = () => applyDecorators(IsString(), IsNotEmpty(), MaxLength(20));

/** The client's reference for a message or a job: one line of up to 255 characters. */
export const IsReference = () =>
  applyDecorators(
    IsString(),
    IsNotEmpty(),
    MaxLength(255),
    Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not contain control characters' }),
  );

/** Validity in seconds, after which it is no longer sent. */
export const IsValidForSeconds = () => applyDecorators(IsInt(), Min(1), Max(MAX_VALID_SECONDS));
