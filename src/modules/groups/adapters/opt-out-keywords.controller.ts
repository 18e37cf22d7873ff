import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { OptOutsService } from '../domain/opt-outs.service';
import { NoQueryDto } from './no-query.dto';
import { OptOutKeywordsDto } from './opt-outs.dto';

const HOW_COMPARED =
  'A keyword must be the whole text of a message; case and surrounding spaces and punctuation are ignored (`stop!` is STOP, ' +
  '`please stop` and `stop?` are not). A button of a Marketing template that is labelled with a keyword opts the person out of ' +
  'marketing messages.';

/** Opt-out keywords over HTTP. */
@ApiTags('Opt-outs')
@Controller('settings/opt-out-keywords')
export class OptOutKeywordsController {
  constructor(private readonly optOuts: OptOutsService) {}

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'Read the opt-out keywords',
    description: `Returns the keywords with which people opt out and in. ${HOW_COMPARED}`,
  })
  @ApiOkResponse({ description: "The account's keywords, or the defaults of the service.", type: OptOutKeywordsDto })
  @ApiErrors(ValidationFailedError)
  async getOptOutKeywords(@CurrentCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<OptOutKeywordsDto> {
    return OptOutKeywordsDto.from(await this.optOuts.keywords(caller.accountId));
  }

  @Put()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Replace the opt-out keywords',
    description:
      `Replaces both lists. Keywords may be in any number of languages; earlier messages are not evaluated ` +
      `again. ${HOW_COMPARED}`,
  })
  @ApiOkResponse({ description: 'The new keywords.', type: OptOutKeywordsDto })
  @JsonBody()
  async replaceOptOutKeywords(
    @CurrentCaller() caller: Caller,
    @Body() body: OptOutKeywordsDto,
  ): Promise<OptOutKeywordsDto> {
    return OptOutKeywordsDto.from(await this.optOuts.setKeywords(caller, body));
  }
}
