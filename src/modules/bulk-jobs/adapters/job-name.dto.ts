import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Maximum length of the name of a job. */
export const JOB_NAME_LENGTH = 120;

/** `name` of a request that creates or changes a job. */
export const JobNameField = (description: string, nullable = false) =>
  applyDecorators(
    ApiPropertyOptional({
      description,
      type: String,
      maxLength: JOB_NAME_LENGTH,
      example: 'Spring sale, Berlin',
      nullable,
    }),
    IsOptional(),
    IsString(),
    IsNotEmpty(),
    MaxLength(JOB_NAME_LENGTH),
    Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not contain control characters' }),
  );
