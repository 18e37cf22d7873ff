import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/page.dto';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { ApiKeysService } from '../domain/api-keys.service';
import {
  ApiKeyDto,
  ChangeApiKeyDto,
  changedKeyFields,
  CreateApiKeyDto,
  IssuedApiKeyDto,
  newKeyFields,
} from './api-keys.dto';

const KEY_ID = {
  name: 'keyId',
  description: 'The id of a key of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** The API keys of the caller's account. */
@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'List the API keys',
    description: 'The keys of your account that are not revoked, newest first.',
  })
  @ApiPageOf(ApiKeyDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQueryDto): Promise<PageAnswer<ApiKeyDto>> {
    const page = await this.keys.page(caller.accountId, query);
    return pageAnswer({ ...page, items: page.items.map((key) => ApiKeyDto.from(key)) });
  }

  @Post()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'The answer holds the secret in `key`, this once. A key can be given only scopes that your own key has.',
  })
  @ApiCreatedResponse({ description: 'The key, with its secret.', type: IssuedApiKeyDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.create(caller, newKeyFields(body)));
  }

  @Patch(':keyId')
  @ApiParam(KEY_ID)
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Change an API key',
    description:
      'What is absent stays. Your own key must have all scopes of the other one. Of the key that makes the request only the name can be changed. Works at once here and within 2 s in every process.',
  })
  @ApiOkResponse({ description: 'The key as it is now.', type: ApiKeyDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'api_key_not_found',
    'key_in_use',
  )
  async change(
    @CurrentCaller() caller: Caller,
    @Param('keyId', new ResourceIdPipe('api_key')) keyId: string,
    @Body() body: ChangeApiKeyDto,
  ): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.keys.change(caller, keyId, changedKeyFields(body)));
  }

  @Delete(':keyId')
  @ApiParam(KEY_ID)
  @HttpCode(204)
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'The key works no more: at once here, within 2 s in every process. The key that makes the request cannot revoke itself.',
  })
  @ApiNoContentResponse({ description: 'The key is revoked.' })
  @ApiFaults('api_key_not_found', 'key_in_use')
  revoke(@CurrentCaller() caller: Caller, @Param('keyId', new ResourceIdPipe('api_key')) keyId: string): Promise<void> {
    return this.keys.revoke(caller, keyId);
  }

  @Post(':keyId/rotate')
  @ApiParam(KEY_ID)
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Give an API key a new secret',
    description:
      'The answer holds the new secret in `key`, this once; the old one works no more. A key may rotate itself.',
  })
  @ApiCreatedResponse({ description: 'The key, with its new secret.', type: IssuedApiKeyDto })
  @ApiFaults('api_key_not_found')
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('keyId', new ResourceIdPipe('api_key')) keyId: string,
  ): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.rotate(caller, keyId));
  }
}
