import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { unknownValues } from '../../../infra/http/validation/unknown-values';
import { type Scope, SCOPES } from '../../../kernel/caller';
import type { ApiKey, ApiKeyFields } from '../domain/api-key';
import type { IssuedKey } from '../domain/api-keys.service';
import { AreAddressRanges, IsTimeAhead } from './field-checks';

const NAME = { description: 'Purpose of the key.', example: 'CRM production', maxLength: 100 };
const SCOPE_LIST = {
  description: 'Scopes of the key: at least one, and only scopes of your own key.',
  enum: SCOPES,
  isArray: true,
  example: ['messaging:send', 'messaging:read'],
};
const EXPIRY = {
  description: 'When the key expires; null: never.',
  type: String,
  format: 'date-time',
  nullable: true,
  example: '2030-01-31T12:00:00.000Z',
};
const ADDRESSES = {
  description: 'IP addresses and CIDR ranges from which the key may be used; empty: any.',
  type: [String] as [StringConstructor],
  example: ['203.0.113.7', '2001:db8::/32'],
};

/** Body of `POST /api-keys`. */
export class CreateApiKeyDto {
  @ApiProperty(NAME)
  @IsString()
  @Matches(/\S/, { message: 'name must not be empty' })
  @MaxLength(100)
  name: string;

  @ApiProperty(SCOPE_LIST)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true, message: unknownValues(SCOPES) })
  scopes: Scope[];

  @ApiPropertyOptional(EXPIRY)
  @IsOptional()
  @IsTimeAhead()
  expiresAt?: string | null;

  @ApiPropertyOptional({ ...ADDRESSES, default: [] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(50)
  @AreAddressRanges()
  allowedIps?: string[];
}

/** Body of `PATCH /api-keys/{id}`; absent fields keep their values. */
export class ChangeApiKeyDto {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsString()
  @Matches(/\S/, { message: 'name must not be empty' })
  @MaxLength(100)
  name?: string;

  @ApiPropertyOptional(SCOPE_LIST)
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true, message: unknownValues(SCOPES) })
  scopes?: Scope[];

  @ApiPropertyOptional(EXPIRY)
  @IsOptional()
  @IsTimeAhead()
  expiresAt?: string | null;

  @ApiPropertyOptional(ADDRESSES)
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(50)
  @AreAddressRanges()
  allowedIps?: string[];
}

/** Body of `POST /api-keys/{id}/rotate`; may be absent. */
export class RotateApiKeyDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 604_800,
    default: 0,
    example: 3600,
    description:
      'Seconds for which the old secret stays valid; 0: not at all. Only the most recent old secret can stay valid.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(604_800)
  overlapSeconds = 0;
}

/** The fields of a new key. */
export function newKeyFields({ name, scopes, expiresAt, allowedIps = [] }: CreateApiKeyDto): ApiKeyFields {
  return { name, scopes, expiresAt: expiresAt ? new Date(expiresAt) : null, allowedIps };
}

/** The fields that are present in the body. */
export function changedKeyFields({ name, scopes, expiresAt, allowedIps }: ChangeApiKeyDto): Partial<ApiKeyFields> {
  return {
    ...(name !== undefined && { name }),
    ...(scopes && { scopes }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(allowedIps && { allowedIps }),
  };
}

/** A key without its secret. */
export class ApiKeyDto {
  @ApiProperty({ description: 'Id of the key.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty(NAME)
  name: string;

  @ApiProperty(SCOPE_LIST)
  scopes: readonly Scope[];

  @ApiProperty(EXPIRY)
  expiresAt: string | null;

  @ApiProperty(ADDRESSES)
  allowedIps: readonly string[];

  @ApiProperty({ description: 'Public prefix that identifies the key.', example: '1a2b3c4d' })
  prefix: string;

  @ApiProperty({
    description: 'Exact to a minute; null: never used.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  lastUsedAt: string | null;

  @ApiProperty({
    description: 'Until when the previous secret remains valid; null: only the current secret is valid.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  previousKeyValidUntil: string | null;

  @ApiProperty({ description: 'When the key was created.', format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  createdAt: string;

  static from(key: ApiKey): ApiKeyDto {
    return {
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      expiresAt: key.expiresAt?.toISOString() ?? null,
      allowedIps: key.allowedIps,
      prefix: key.prefix,
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      previousKeyValidUntil: key.previousKeyValidUntil?.toISOString() ?? null,
      createdAt: key.createdAt.toISOString(),
    };
  }
}

/** A key with its secret, which is returned only here. */
export class IssuedApiKeyDto extends ApiKeyDto {
  @ApiProperty({
    description: 'The secret for the X-API-Key header. It is shown only once.',
    example: 'mta_1a2b3c4d_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEE',
  })
  key: string;

  static issued({ key, secret }: IssuedKey): IssuedApiKeyDto {
    return { ...ApiKeyDto.from(key), key: secret };
  }
}
