import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/request-body';
import { HistoryTerms } from '../../accounts/domain/history-terms.service';
import { HistorySettingsDto } from './history-settings.dto';

/** How long an account keeps what it sent and received. */
@ApiTags('Chat history')
@Controller('settings/history')
export class HistorySettingsController {
  constructor(private readonly terms: HistoryTerms) {}

  @Get()
  @RequireScope('messaging:read')
  @ApiOperation({
    summary: 'Read how long the history is kept',
    description: 'Days for which messages, conversations and the recipients of finished jobs are kept; 90 unless set.',
  })
  @ApiOkResponse({ description: 'The settings of the account.', type: HistorySettingsDto })
  async getHistorySettings(@CurrentCaller() { accountId }: Caller): Promise<HistorySettingsDto> {
    return { retentionDays: await this.terms.of(accountId) };
  }

  @Put()
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Change how long the history is kept',
    description:
      'Older data is deleted permanently within about an hour, in the background: messages and their media, conversations without any message left, and the recipients of finished jobs, whose counts stay. A message whose outcome is open, or whose job has not finished, stays until it is settled.',
  })
  @ApiOkResponse({ description: 'The new settings.', type: HistorySettingsDto })
  @JsonBody()
  async updateHistorySettings(
    @CurrentCaller() { accountId }: Caller,
    @Body() { retentionDays }: HistorySettingsDto,
  ): Promise<HistorySettingsDto> {
    await this.terms.set(accountId, retentionDays);
    return { retentionDays };
  }
}
