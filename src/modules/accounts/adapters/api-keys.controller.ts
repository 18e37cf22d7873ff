import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/lists/page.dto';
import { ShowsSecret } from '../../../infra/http/access/shows-secret.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiKeysService } from '../domain/api-keys.service';
import { ApiKeyNotFoundError, BeyondOwnKeyError, KeyInUseError, QuotaExceededError } from '../domain/accounts.errors';
import {
  ApiKeyDto,
  ChangeApiKeyDto,
  changedKeyFields,
  CreateApiKeyDto,
  IssuedApiKeyDto,
  newKeyFields,
  RotateApiKeyDto,
} from './api-keys.dto';
import { CHANGE_KEY_EXAMPLES, CREATE_KEY_EXAMPLES } from './accounts.examples';

const KEY_ID = {
  name: 'keyId',
  description: 'Id of a key of your account.',
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
    description: 'Lists the active keys of your account, newest first. Revoked keys are omitted.',
  })
  @ApiPageOf(ApiKeyDto)
  @ApiErrors(ValidationFailedError)
  async listApiKeys(@CurrentCaller() caller: Caller, @Query() query: PageQueryDto): Promise<PageAnswer<ApiKeyDto>> {
    const page = await this.keys.page(caller.accountId, query);
    return pageAnswer({ ...page, items: page.items.map((key) => ApiKeyDto.from(key)) });
  }

  @Post()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'The response contains the secret in `key`; it is shown only once. The new key cannot exceed your own in ' +
      'scopes, expiry or addresses.',
  })
  @ApiCreatedResponse({ description: 'The key, with its secret.', type: IssuedApiKeyDto })
  @JsonBody()
  @ApiErrors(BeyondOwnKeyError, QuotaExceededError)
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_KEY_EXAMPLES })
  @ShowsSecret()
  async createApiKey(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.create(caller, newKeyFields(body)));
  }

  @Patch(':keyId')
  @ApiParam(KEY_ID)
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Change an API key',
    description:
      'Absent fields keep their values. The changed key cannot exceed your own in scopes, expiry or addresses. A key ' +
      'can change only its own name. The change takes effect within 2 s.',
  })
  @ApiOkResponse({ description: 'The updated key.', type: ApiKeyDto })
  @JsonBody()
  @ApiErrors(ApiKeyNotFoundError, BeyondOwnKeyError, KeyInUseError)
  @ApiBody({ type: ChangeApiKeyDto, examples: CHANGE_KEY_EXAMPLES })
  async updateApiKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId', new ResourceIdPipe(ApiKeyNotFoundError)) keyId: string,
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
    description: 'The key becomes invalid within 2 s. A key cannot revoke itself.',
  })
  @ApiNoContentResponse({ description: 'The key is revoked.' })
  @ApiErrors(ApiKeyNotFoundError, KeyInUseError)
  revokeApiKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId', new ResourceIdPipe(ApiKeyNotFoundError)) keyId: string,
  ): Promise<void> {
    return this.keys.revoke(caller, keyId);
  }

  @Post(':keyId/rotate')
  @ApiParam(KEY_ID)
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Rotate the secret of an API key',
    description:
      'The response contains the new secret in `key`; it is shown only once. The old secret becomes invalid ' +
      'immediately or after `overlapSeconds`. The key cannot exceed your own. A key may rotate itself.',
  })
  @ApiCreatedResponse({ description: 'The key, with its new secret.', type: IssuedApiKeyDto })
  @JsonBody()
  @ApiBody({ type: RotateApiKeyDto, required: false })
  @ApiErrors(ApiKeyNotFoundError, BeyondOwnKeyError)
  @ShowsSecret()
  async rotateApiKey(
    @CurrentCaller() caller: Caller,
    @Param('keyId', new ResourceIdPipe(ApiKeyNotFoundError)) keyId: string,
    @Body() body: RotateApiKeyDto,
  ): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.rotate(caller, keyId, body.overlapSeconds));
  }
}
