import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { jsonFingerprint } from '../../../infra/http/idempotency/idempotent.decorator';
import { UserIdInsteadOf } from '../../../infra/http/validation/person-fields.decorators';
import { LongList } from '../../../infra/http/validation/long-list.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { ImportCountryField } from '../../../infra/http/validation/default-country.decorator';
import { IsReference } from '../../sending/adapters/message-fields.dto';
import { TemplateParameterDto } from '../../sending/adapters/send-template.dto';
import { CardExtrasDto, PARAMETER_FORM, TemplateExtrasDto } from '../../templates/adapters/template-extras.dto';
import type { OnDuplicates } from '../../recipient-files/domain/file-rows';
import type { ListedRecipient } from '../domain/list-sends.service';
import { BulkSendDto, HOLD, OnDuplicatesField, sendOf } from './bulk-sends.dto';

/** Maximum number of recipients per request. */
const MAX_RECIPIENTS = 10_000;
/** Limits of the body: 58 placeholder values of each recipient fill its bytes and its values. */
export const LIST_LIMITS = { maxBytes: 20 * 1024 * 1024, maxValues: 1_200_000, maxItems: MAX_RECIPIENTS };

/** A recipient of a list. Its media replaces that of the job; its payloads and cards take precedence over those of the job. */
export class ListRecipientDto extends PickType(TemplateExtrasDto, [
  'headerMediaId',
  'headerMediaFileName',
  'quickReplyPayloads',
  'cards',
]) {
  @ApiPropertyOptional({
    description:
      'Phone number, in any notation that a file may have; a number without country code needs `defaultCountry`. Without it and without `userId` the recipient is invalid (`phone_missing`).',
    type: String,
    nullable: true,
    example: '4915112345678',
    maxLength: 64,
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  to?: string | null;

  @UserIdInsteadOf('to')
  userId?: string | null;

  @ApiPropertyOptional({
    description:
      'Public URL of the media, instead of `headerMediaId`. If it is no URL or its host is private, the recipient is invalid ' +
      '(`parameter_invalid`).',
    example: 'https://files.example.com/label.png',
    maxLength: 2000,
  })
  @IsOptional()
  @IsString()
  headerMediaUrl?: string;

  // PickType does not pass on the type of the items, so their fields would count as unknown.
  @Type(() => CardExtrasDto)
  declare cards?: CardExtrasDto[];

  @ApiPropertyOptional({
    description: 'Placeholder values, in the order of a send.',
    type: [TemplateParameterDto],
    example: [{ text: 'Mira' }, { text: 'PK-7731' }],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsObject({ each: true })
  @ValidateNested({ each: true, message: PARAMETER_FORM })
  @Type(() => TemplateParameterDto)
  templateParameters?: TemplateParameterDto[];

  @ApiPropertyOptional({
    description: 'Token of the flow; default: the id of the message.',
    example: 'booking-4711',
    maxLength: 255,
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  flowToken?: string;

  @ApiPropertyOptional({
    description:
      'Your reference of this recipient, returned in events and message search. Default: the reference of the job.',
    example: 'order-4711',
    maxLength: 255,
  })
  @IsOptional()
  @IsReference()
  reference?: string;
}

/** A send to a list of recipients. */
export class ListSendDto extends BulkSendDto {
  @ApiProperty({ description: `1 to ${MAX_RECIPIENTS} recipients.`, type: [ListRecipientDto] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_RECIPIENTS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ListRecipientDto)
  @LongList()
  recipients: ListRecipientDto[];

  @ImportCountryField()
  defaultCountry?: string;

  @ApiPropertyOptional({
    description: '`skip`: invalid recipients count as failed. `reject`: one invalid recipient rejects the list.',
    enum: ['skip', 'reject'],
    default: 'skip',
    example: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows?: 'skip' | 'reject';

  @OnDuplicatesField()
  onDuplicates?: OnDuplicates;

  @ApiPropertyOptional({
    description: '`true`: only check. Returns 200 with a preview of the send.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;

  @ApiPropertyOptional({ ...HOLD, default: false, example: false })
  @MayBeAbsent()
  @IsBoolean()
  hold?: boolean;
}

/** Example bodies of the API reference. */
export const LIST_SEND_EXAMPLES = {
  values: {
    summary: 'Two recipients, one with a reference',
    value: {
      templateName: 'order_update',
      recipients: [
        { to: '4915112345678', templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }], reference: 'order-4711' },
        { to: '4915112345679', templateParameters: [{ text: 'Jonas' }, { text: 'PK-7732' }] },
      ],
    },
  },
};

/** Converts a body to a request. */
export function listSendOf(body: ListSendDto) {
  const recipients = body.recipients.map(recipientOf);
  return {
    ...sendOf(body),
    hold: body.hold === true,
    ...(body.defaultCountry && { defaultCountry: body.defaultCountry }),
    recipients,
    ownExtras: recipients.some(({ extras }) => extras !== null),
    ownCards: recipients.some(({ extras }) => extras?.cards !== undefined),
    uploadHash: jsonFingerprint({ ...body, dryRun: undefined }),
    onInvalidRows: body.onInvalidRows ?? 'skip',
    onDuplicates: body.onDuplicates ?? 'skip',
  };
}

function recipientOf({ to, userId, templateParameters = [], reference, ...fields }: ListRecipientDto): ListedRecipient {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return {
    to: to ?? null,
    userId: userId ?? null,
    values: (templateParameters ?? []).map(({ text }) => text),
    extras: given.length === 0 ? null : Object.fromEntries(given),
    reference: reference ?? null,
  };
}
