import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { RETENTION_DAYS } from '../../accounts/domain/history-terms';

/** The history retention; request and response have the same shape. */
export class HistorySettingsDto {
  @ApiProperty({
    type: 'integer',
    minimum: RETENTION_DAYS.least,
    maximum: RETENTION_DAYS.most,
    description: 'Days that messages, conversations and recipients of finished jobs are kept.',
    example: 90,
  })
  @IsInt()
  @Min(RETENTION_DAYS.least)
  @Max(RETENTION_DAYS.most)
  retentionDays: number;
}
