import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import type { FieldError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ATTRIBUTE_NAME_LENGTH } from '../../groups/domain/contact';
import { CONTACT_FIELDS, type ValuesByNumber } from '../domain/contact-values';
import type { FromAttributes } from '../domain/group-sends.service';
import type { CreatedJob } from '../domain/job-intake';
import { BulkSendDto, CreatedJobDto, HOLD, sendOf } from './bulk-sends.dto';
import { distinct, GROUP_ID, GroupIdsField } from './job-audience.dto';

const VALUE_LENGTH = 1024;
const MAX_VALUES = 200;

/** An optional name of an attribute. */
const AttributeName = (description: string, example: string) => (target: object, key: string) => {
  ApiPropertyOptional({ description, maxLength: ATTRIBUTE_NAME_LENGTH, example })(target, key);
  IsOptional()(target, key);
  IsString()(target, key);
  IsNotEmpty()(target, key);
  MaxLength(ATTRIBUTE_NAME_LENGTH)(target, key);
};

/** Where the value of a placeholder comes from. */
export class AttributeValueDto {
  @AttributeName(
    'Attribute of the contacts. Absent, with `contactField`: `default` is the value for all.',
    'First name',
  )
  attribute?: string;

  @ApiPropertyOptional({
    description: 'Field of the contacts, instead of `attribute`: `name` is the name of the contact.',
    enum: CONTACT_FIELDS,
    example: 'name',
  })
  @IsOptional()
  @IsIn(CONTACT_FIELDS)
  contactField?: (typeof CONTACT_FIELDS)[number];

  @ApiPropertyOptional({
    description:
      'Value for contacts without the attribute or field; absent: these recipients fail with `parameter_missing`.',
    minLength: 1,
    maxLength: VALUE_LENGTH,
    example: 'there',
  })
  @ValidateIf(
    ({ attribute, contactField, default: text }: AttributeValueDto) =>
      !(attribute || contactField) || (text ?? null) !== null,
  )
  @IsString()
  @MaxLength(VALUE_LENGTH)
  default?: string;
}

function isAttributesByButton(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([index, name]: [string, unknown]) =>
      /^\d$/.test(index) && typeof name === 'string' && name !== '' && name.length <= ATTRIBUTE_NAME_LENGTH,
  );
}

/** Fields that each recipient has from an attribute of its own. */
export class FromAttributesDto implements FromAttributes {
  @AttributeName('Attribute with the media id for the header.', 'Media')
  headerMediaId?: string;

  @AttributeName('Attribute with the public URL for the header.', 'Invoice')
  headerMediaUrl?: string;

  @AttributeName('Attribute with the file name that the recipient sees.', 'File name')
  headerMediaFileName?: string;

  @AttributeName('Attribute with your own reference of the recipient.', 'Customer number')
  reference?: string;

  @ApiPropertyOptional({
    description: 'Attributes with the payloads of quick-reply buttons, by the index of the button.',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: ATTRIBUTE_NAME_LENGTH },
    example: { '0': 'Answer' },
  })
  @IsOptional()
  @ValidateBy({
    name: 'matches',
    validator: {
      validate: isAttributesByButton,
      defaultMessage: () =>
        `$property must name buttons by their index, "0" to "9", each with an attribute of 1 to ${ATTRIBUTE_NAME_LENGTH} characters`,
    },
  })
  quickReplyPayloads?: Record<string, string>;

  @AttributeName('Attribute with the token of the flow.', 'Booking')
  flowToken?: string;
}

/** Body of a send to contact groups. */
export class GroupSendDto extends BulkSendDto {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Id of the contact group; either this or `groupIds` is required.',
    example: GROUP_ID,
  })
  @ValidateIf(({ groupId, groupIds }: GroupSendDto) => (groupId ?? null) !== null || (groupIds ?? null) === null)
  @IsUUID('loose')
  groupId?: string;

  @GroupIdsField(
    'Ids of several contact groups, instead of `groupId`; a contact in several of them gets one message.',
    1,
  )
  groupIds?: string[];

  @ApiPropertyOptional({
    description:
      'Where the value of each placeholder comes from, in order; instead of parameters of the contacts and `parameterDefaults`.',
    type: [AttributeValueDto],
    maxItems: MAX_VALUES,
    example: [{ attribute: 'First name', default: 'there' }, { attribute: 'Order' }],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_VALUES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => AttributeValueDto)
  values?: AttributeValueDto[];

  @ApiPropertyOptional({
    description: 'Default values by placeholder number, for contacts without a parameter.',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: VALUE_LENGTH },
    example: { '1': 'there', '2': '10 %' },
  })
  @IsOptional()
  @IsObject()
  parameterDefaults?: Record<string, unknown>;

  @ApiPropertyOptional({
    description:
      'Attributes that give each recipient its own header media, file name, reference, payloads or flow token; without one that of the job.',
    type: FromAttributesDto,
    example: { headerMediaUrl: 'Invoice' },
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => FromAttributesDto)
  fromAttributes?: FromAttributesDto;

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

/** Validates the defaults; throws ValidationFailedError for keys that are not placeholder numbers and values that are not texts. */
function readDefaults(given: Record<string, unknown> | undefined | null): ValuesByNumber {
  const entries = Object.entries(given ?? {});
  const errors = entries.flatMap(([key, value]) => errorOfDefault(key, value) ?? []);
  if (errors.length > 0) throw new ValidationFailedError(errors);
  return Object.fromEntries(entries) as ValuesByNumber;
}

function errorOfDefault(key: string, value: unknown): FieldError | null {
  const field = `parameterDefaults.${key}`;
  if (!/^[1-9]\d{0,2}$/.test(key)) {
    return {
      field,
      code: 'unknown_field',
      message: `${field} must be a placeholder number: "1", "2", ….`,
    };
  }
  if (typeof value !== 'string') return { field, code: 'wrong_type', message: `${field} must be a string.` };
  if (value.length <= VALUE_LENGTH) return null;
  return { field, code: 'too_long', message: `${field} must have at most ${VALUE_LENGTH} characters.` };
}

/** Converts a group send to a request; throws ValidationFailedError for invalid defaults, and for fields that exclude each other. */
export function groupSendOf(body: GroupSendDto) {
  const { groupId, groupIds, values, parameterDefaults } = body;
  const errors = [
    ...(groupId && groupIds ? [excluded('groupIds', 'groupId')] : []),
    ...(values && parameterDefaults ? [excluded('parameterDefaults', 'values')] : []),
    ...(values ?? []).flatMap(({ attribute, contactField }, index) =>
      attribute && contactField ? [excluded(`values[${index}].contactField`, 'attribute')] : [],
    ),
  ];
  if (errors.length > 0) throw new ValidationFailedError(errors);
  const fields = Object.entries(body.fromAttributes ?? {}).filter(([, source]) => (source ?? null) !== null);
  return {
    ...sendOf(body),
    hold: body.hold === true,
    groupIds: distinct(groupIds ?? [groupId!]),
    values:
      values?.map(({ attribute, contactField, default: text }) => ({
        ...{ attribute: attribute ?? null, contactField: contactField ?? null, default: text ?? null },
      })) ?? null,
    parameterDefaults: readDefaults(parameterDefaults),
    fromAttributes: Object.fromEntries(fields) as FromAttributes,
  };
}

function excluded(field: string, other: string): FieldError {
  return { field, code: 'not_allowed', message: `${field} cannot be used together with ${other}. Remove one of them.` };
}

/** A job that was created for contact groups. */
export class CreatedGroupJobDto extends CreatedJobDto {
  @ApiProperty({
    description: 'The target group; null: several.',
    type: String,
    nullable: true,
    format: 'uuid',
    example: GROUP_ID,
  })
  groupId: string | null;

  static override from(created: CreatedJob): CreatedGroupJobDto {
    return { ...super.from(created), groupId: created.job.groupId };
  }
}
