import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { HistoryTerms } from '../../accounts/domain/history-terms';
import { HistorySettingsDto } from './history-settings.dto';

/** The history retention of an account. */
@ApiTags('Chat history')
@Controller('settings/history')
export class HistorySettingsController {
  constructor(private readonly terms: HistoryTerms) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Read the history retention',
    description: 'Days that messages, conversations and recipients of finished jobs are kept; 90 by default.',
  })
  @ApiOkResponse({ description: 'The settings of the account.', type: HistorySettingsDto })
  async getHistorySettings(@CurrentCaller() { accountId }: Caller): Promise<HistorySettingsDto> {
    return { retentionDays: await this.terms.of(accountId) };
  }

  @Put()
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Change the history retention',
    description:
      'Older data is permanently deleted in the background within about an hour: messages and their media, empty ' +
      'conversations, and recipients of finished jobs, whose counts remain. Messages without a final outcome, or of ' +
      'unfinished jobs, are kept until they are settled.',
  })
  @ApiOkResponse({ description: 'The new settings.', type: HistorySettingsDto })
  @JsonBody()
  async updateHistorySettings(
    @CurrentCaller() caller: Caller,
    @Body() { retentionDays }: HistorySettingsDto,
  ): Promise<HistorySettingsDto> {
    await this.terms.set(caller, retentionDays);
    return { retentionDays };
  }
}
