import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** Whether row 1 of an uploaded file is a header. */
export const HasHeaderField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Whether row 1 is a header. `auto`: yes if its first cell contains no digit.',
      enum: ['auto', 'true', 'false'],
      default: 'auto',
    }),
    IsOptional(),
    IsIn(['auto', 'true', 'false']),
  );

/** Whether an uploaded file is only checked. */
export const DryRunField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: '`true`: only check the file. Returns 200 with the counts and the first 100 row errors.',
      enum: ['true', 'false'],
      default: 'false',
    }),
    IsOptional(),
    IsIn(['true', 'false']),
  );
