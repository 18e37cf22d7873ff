import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/page.dto';
import type { Caller } from '../../../kernel/caller';
import { OptOutsService } from '../domain/opt-outs.service';
import { NoQueryDto } from './no-query.dto';
import { AddOptOutDto, OptOutDto } from './opt-outs.dto';

/** Opt-outs over HTTP. */
@ApiTags('Opt-outs')
@Controller('opt-outs')
export class OptOutsController {
  constructor(private readonly optOuts: OptOutsService) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Record an opt-out',
    description:
      'From now on nothing is sent to the number in any of its forms: a single send is refused, a job skips it, also one that runs. It needs no contact. Recording it again changes nothing and answers the first record. A later keyword of the person, such as START, takes it back.',
  })
  @ApiCreatedResponse({ description: 'The opt-out as it was first recorded.', type: OptOutDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  async add(@CurrentCaller() caller: Caller, @Body() body: AddOptOutDto): Promise<OptOutDto> {
    return OptOutDto.from(await this.optOuts.add(caller.accountId, body.phone));
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'List opt-outs',
    description:
      'Everybody whom the account must not write to, newest first. A person who wants no messages and on the platform has stopped marketing stands here twice, once for each `scope`.',
  })
  @ApiPageOf(OptOutDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQueryDto): Promise<PageAnswer<OptOutDto>> {
    const page = await this.optOuts.list(caller.accountId, query);
    return pageAnswer({ ...page, items: page.items.map((optOut) => OptOutDto.from(optOut)) });
  }

  @Delete(':phone')
  @HttpCode(204)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Take an opt-out back',
    description:
      'Lets the account write to the person again, marketing included. Do so only when the person has asked for it. The platform goes on refusing marketing until the person allows it there, and the next refusal records the opt-out again.',
  })
  @ApiParam({
    name: 'phone',
    description: 'Phone number, international format, digits only, or the `userId` of a person without one.',
    example: '4915123456789',
  })
  @ApiNoContentResponse({ description: 'The person may be written to again.' })
  @ApiFaults('validation_failed', 'opt_out_not_found')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('phone') phone: string,
    @Query() _query: NoQueryDto,
  ): Promise<void> {
    await this.optOuts.remove(caller.accountId, phone);
  }
}
