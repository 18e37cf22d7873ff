import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { OptOutsService } from '../domain/opt-outs.service';
import { NoQueryDto } from './no-query.dto';
import { OptOutKeywordsDto } from './opt-outs.dto';

const HOW_COMPARED =
  'A keyword counts as the whole text of a message: case, blanks and punctuation around it do not matter (`stop!` is STOP, ' +
  '`please stop` and `stop?` are not), and buttons never opt anybody out.';

/** The keywords of an account over HTTP. */
@ApiTags('Opt-outs')
@Controller('settings/opt-out-keywords')
export class OptOutKeywordsController {
  constructor(private readonly optOuts: OptOutsService) {}

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'Read the opt-out keywords',
    description: `The texts with which people opt out and in. ${HOW_COMPARED}`,
  })
  @ApiOkResponse({ description: 'The keywords of the account, or those of the service.', type: OptOutKeywordsDto })
  @ApiFaults('validation_failed')
  async read(@CurrentCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<OptOutKeywordsDto> {
    return OptOutKeywordsDto.from(await this.optOuts.keywords(caller.accountId));
  }

  @Put()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Replace the opt-out keywords',
    description: `Both lists are replaced, in as many languages as needed; messages that came before stay as they were understood. ${HOW_COMPARED}`,
  })
  @ApiOkResponse({ description: 'The keywords as they hold from now on.', type: OptOutKeywordsDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  async replace(@CurrentCaller() caller: Caller, @Body() body: OptOutKeywordsDto): Promise<OptOutKeywordsDto> {
    return OptOutKeywordsDto.from(await this.optOuts.setKeywords(caller.accountId, body));
  }
}
