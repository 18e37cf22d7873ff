import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { AsSent } from '../../../infra/http/validation/as-sent.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import {
  CARD_HEADER_FORMATS,
  type CardHeaderFormat,
  HEADER_FORMATS,
  type TemplateOffer,
} from '../domain/template-components';
import {
  type BodyDraft,
  type ButtonDraft,
  type CardDraft,
  type CardHeaderDraft,
  type ContentsDraft,
  DRAFT_BUTTON_TYPES,
  type DraftButtonType,
  FLOW_ACTIONS,
  type FlowAction,
  type HeaderDraft,
  OTP_TYPES,
  type OtpApp,
  type OtpType,
} from '../domain/template-draft';

const DRAFT_HEADER_FORMATS = HEADER_FORMATS.filter((format) => format !== 'None');
/** Far above the platform's limits, which are checked by the authoring rules. */
const MAX_TEXT_LENGTH = 40_000;

/** Which of the two is required depends on the template. */
const IsListOrObject = () =>
  ValidateBy({
    name: 'isObject',
    validator: {
      validate: (value) => typeof value === 'object' && value !== null,
      defaultMessage: () => '$property must be a list of texts, or an object with a text for each name',
    },
  });

/** The header of a template to create or edit. */
export class HeaderDraftDto implements HeaderDraft {
  @ApiProperty({ description: 'The header.', enum: DRAFT_HEADER_FORMATS, example: 'Text' })
  @IsIn(DRAFT_HEADER_FORMATS)
  format: HeaderDraft['format'];

  @ApiPropertyOptional({
    description: 'For a Text header: at most 60 characters and one placeholder.',
    example: 'Parcel {{1}}',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  text?: string;

  @ApiPropertyOptional({ description: 'A value for the placeholder of a Text header.', example: 'PK-1' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(1024)
  example?: string;

  @ApiPropertyOptional({
    description: 'For Image, Video and Document: the `handle` of an upload with `purpose=TemplateExample`.',
    example: '4::aW1hZ2UvanBlZw==:ARb4',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(4096)
  exampleHandle?: string;
}

/** The body of a template to create or edit. */
export class BodyDraftDto implements BodyDraft {
  @ApiProperty({
    description:
      'At most 1,024 characters (600 with an offer, 160 with a Product header or on a card), with placeholders in the format of `parameterFormat`.',
    example: 'Hello {{1}}, parcel {{2}} is on its way.',
  })
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  text: string;

  @ApiPropertyOptional({
    description: 'One example per placeholder: a list for numbered placeholders, an object for named ones.',
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    example: ['Mira', 'PK-1'],
  })
  @MayBeAbsent()
  @IsListOrObject()
  @AsSent()
  examples?: unknown;
}

/** The footer of a template to create or edit. */
export class FooterDraftDto {
  @ApiProperty({ description: 'At most 60 characters, without placeholders.', example: 'Reply STOP to unsubscribe' })
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  text: string;
}

/** An app that may receive the one-time password. */
export class OtpAppDto implements OtpApp {
  @ApiProperty({ description: 'Package name of the app.', example: 'com.example.app' })
  @IsString()
  @MaxLength(224)
  packageName: string;

  @ApiProperty({ description: "Hash of the app's signing key, 11 characters.", example: 'K8a/AINcGX7' })
  @IsString()
  @MaxLength(100)
  signatureHash: string;
}

/** A button of a template to create or edit. */
export class ButtonDraftDto implements ButtonDraft {
  @ApiProperty({ description: 'What the button does.', enum: DRAFT_BUTTON_TYPES, example: 'Url' })
  @IsIn(DRAFT_BUTTON_TYPES)
  type: DraftButtonType;

  @ApiPropertyOptional({ description: 'Label, at most 25 characters.', example: 'Track' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  text?: string;

  @ApiPropertyOptional({
    description: 'For Url: the address, with `{{1}}` at the very end if it differs per recipient.',
    example: 'https://track.example.com/{{1}}',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  url?: string;

  @ApiPropertyOptional({
    description: 'For Url with a placeholder: a complete address. For CopyCode: a code of 1 to 20 letters and digits.',
    example: 'https://track.example.com/PK-1',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  example?: string;

  @ApiPropertyOptional({ description: 'For PhoneNumber: at most 20 characters.', example: '+4930900000001' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(255)
  phoneNumber?: string;

  @ApiPropertyOptional({ description: "For Flow: the platform's id of a published flow.", example: '600000000000001' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(255)
  flowId?: string;

  @ApiPropertyOptional({
    description: 'For Flow: what it opens first.',
    enum: FLOW_ACTIONS,
    default: 'Navigate',
    example: 'Navigate',
  })
  @MayBeAbsent()
  @IsIn(FLOW_ACTIONS)
  flowAction?: FlowAction;

  @ApiPropertyOptional({ description: 'For Flow with Navigate: id of the first screen.', example: 'START' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(255)
  navigateScreen?: string;

  @ApiPropertyOptional({
    description: 'For Otp: how the code is passed to the app.',
    enum: OTP_TYPES,
    example: 'CopyCode',
  })
  @MayBeAbsent()
  @IsIn(OTP_TYPES)
  otpType?: OtpType;

  @ApiPropertyOptional({
    description: 'For Otp with OneTap or ZeroTap: label of the button that fills in the code.',
    example: 'Autofill',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  autofillText?: string;

  @ApiPropertyOptional({ description: 'For Otp with OneTap or ZeroTap: 1 to 5 apps.', type: [OtpAppDto] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(20)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => OtpAppDto)
  supportedApps?: OtpAppDto[];

  @ApiPropertyOptional({
    description: "For Otp with ZeroTap: whether the platform's terms are accepted.",
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean()
  zeroTapTermsAccepted?: boolean;
}

/** A limited-time offer of a template to create or edit. */
export class OfferDraftDto implements TemplateOffer {
  @ApiProperty({ description: 'At most 16 characters.', example: 'Ends soon!' })
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  text: string;

  @ApiProperty({ description: 'Whether the message shows a countdown.', example: true })
  @IsBoolean()
  hasExpiration: boolean;
}

/** The header of a card to create or edit. */
export class CardHeaderDraftDto implements CardHeaderDraft {
  @ApiProperty({ description: 'Its format, the same for all cards.', enum: CARD_HEADER_FORMATS, example: 'Image' })
  @IsIn(CARD_HEADER_FORMATS)
  format: CardHeaderFormat;

  @ApiPropertyOptional({
    description: 'For Image and Video: the `handle` of an upload with `purpose=TemplateExample`.',
    example: '4::aW1hZ2UvanBlZw==:ARb4',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(4096)
  exampleHandle?: string;
}

/** A card of a carousel to create or edit. */
export class CardDraftDto implements CardDraft {
  @ApiProperty({ description: 'Its header.', type: CardHeaderDraftDto })
  @IsObject()
  @ValidateNested()
  @Type(() => CardHeaderDraftDto)
  header: CardHeaderDraftDto;

  @ApiPropertyOptional({ description: 'Its text, at most 160 characters; on all cards or none.', type: BodyDraftDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => BodyDraftDto)
  body?: BodyDraftDto;

  @ApiPropertyOptional({ description: 'Up to 2 buttons, of the same types on all cards.', type: [ButtonDraftDto] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ButtonDraftDto)
  buttons?: ButtonDraftDto[];
}

/** The contents of a template to create or edit. */
export abstract class TemplateContentsDto implements ContentsDraft {
  @ApiPropertyOptional({ description: 'The header.', type: HeaderDraftDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => HeaderDraftDto)
  header?: HeaderDraftDto;

  @ApiPropertyOptional({
    description: 'The text. Not allowed for Authentication, where the platform provides it.',
    type: BodyDraftDto,
  })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => BodyDraftDto)
  body?: BodyDraftDto;

  @ApiPropertyOptional({ description: 'The footer.', type: FooterDraftDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => FooterDraftDto)
  footer?: FooterDraftDto;

  @ApiPropertyOptional({ description: 'At most 10 buttons; quick replies must be adjacent.', type: [ButtonDraftDto] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ButtonDraftDto)
  buttons?: ButtonDraftDto[];

  @ApiPropertyOptional({ description: 'Marketing only: a limited-time offer.', type: OfferDraftDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => OfferDraftDto)
  offer?: OfferDraftDto;

  @ApiPropertyOptional({ description: 'Marketing only: the 2 to 10 cards of a carousel.', type: [CardDraftDto] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(20)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CardDraftDto)
  cards?: CardDraftDto[];

  @ApiPropertyOptional({
    description:
      'Marketing and Utility only: asks the recipient for permission to call. Absent in a change: as before; `false` removes the request.',
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean()
  callPermissionRequest?: boolean;

  @ApiPropertyOptional({
    description: 'Authentication only: adds a warning not to share the code.',
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean()
  addSecurityRecommendation?: boolean;

  @ApiPropertyOptional({
    description: 'Authentication only: adds a footer with the validity in minutes, 1 to 90.',
    type: 'integer',
    example: 10,
  })
  @MayBeAbsent()
  @IsInt()
  codeExpirationMinutes?: number;
}
