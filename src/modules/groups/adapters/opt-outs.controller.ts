import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOrSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/lists/page.dto';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ContactsService } from '../domain/contacts.service';
import { OptOutsService } from '../domain/opt-outs.service';
import { OptOutNotFoundError } from '../domain/groups.errors';
import { NoQueryDto } from './no-query.dto';
import { ADD_OPT_OUT_EXAMPLES, AddOptOutDto, OptOutDto, OptOutsQueryDto } from './opt-outs.dto';

/** Opt-outs over HTTP. */
@ApiTags('Opt-outs')
@Controller('opt-outs')
export class OptOutsController {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly contacts: ContactsService,
  ) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Record an opt-out',
    description:
      'Blocks all sends, or with `scope` only marketing, to the person, given by a number in any of its forms or by the `userId` of the platform: single sends are ' +
      'refused, and jobs, including running ones, skip it. No contact is needed. Repeating the request changes nothing and returns the first record of the scope. An ' +
      'opt-in keyword from the person, such as START, reverts it, but not one from marketing only.',
  })
  @ApiBody({ type: AddOptOutDto, examples: ADD_OPT_OUT_EXAMPLES })
  @ApiCreatedResponse({ description: 'The opt-out as it was first recorded.', type: OptOutDto })
  @JsonBody()
  async addOptOut(@CurrentCaller() caller: Caller, @Body() body: AddOptOutDto): Promise<OptOutDto> {
    return OptOutDto.from(await this.optOuts.add(caller, givenPerson(body), body.scope));
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'List opt-outs',
    description:
      'Lists everyone the account must not message, newest first. A person who opted out of all messages and also ' +
      'stopped marketing on the platform is listed twice, once per `scope`.',
  })
  @ApiPageOrSliceOf(OptOutDto)
  @ApiErrors(ValidationFailedError)
  async listOptOuts(
    @CurrentCaller() { accountId }: Caller,
    @Query() query: OptOutsQueryDto,
  ): Promise<PageAnswer<OptOutDto> | Slice<OptOutDto>> {
    const { cursor, pageSize: limit, person, names } = query;
    const found =
      cursor === undefined
        ? pageAnswer(await this.optOuts.list(accountId, query))
        : await this.optOuts.slice(accountId, { cursor, limit, person });
    const contactNames = names === 'true' ? await this.contacts.namesOf(accountId, found.items) : null;
    const items = found.items.map((optOut, index) => ({
      ...OptOutDto.from(optOut),
      ...(contactNames && { contactName: contactNames[index] ?? null }),
    }));
    return { ...found, items };
  }

  @Delete(':phone')
  @HttpCode(204)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Delete an opt-out',
    description:
      "Allows messages to the person again, including marketing. Do this only at the person's request. The platform keeps refusing marketing until the person allows it there, and the next refusal records the opt-out again.",
  })
  @ApiParam({
    name: 'phone',
    description: 'Phone number in international format, digits only, or the `userId` of a person without one.',
    example: '4915123456789',
  })
  @ApiNoContentResponse({ description: 'The opt-out is deleted.' })
  @ApiErrors(ValidationFailedError, OptOutNotFoundError)
  async removeOptOut(
    @CurrentCaller() caller: Caller,
    @Param('phone') phone: string,
    @Query() _query: NoQueryDto,
  ): Promise<void> {
    await this.optOuts.remove(caller, phone);
  }
}

/** Validation has ensured that one of the two is given. */
function givenPerson({ phone, userId }: AddOptOutDto): { phone: string } | { userId: string } {
  return userId ? { userId } : { phone: phone ?? '' };
}
