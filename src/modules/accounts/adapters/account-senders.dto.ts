import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsBoolean, IsOptional, IsUUID } from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import type { AccountSender, SenderChange } from '../domain/account-senders.service';
import { type SenderFields, UNSET_SENDER_FIELDS } from '../domain/sender';
import { ChangeSenderDto, CreateSenderDto, SENDER_PORTFOLIO_ID, SenderDto, SKIP_CHECK } from './accounts.dto';

/** The id of a sender in responses and paths. */
export const SENDER_ID = {
  description: 'Id of the sender.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
};
/** Whether a sender is the default. */
export const IS_DEFAULT = {
  description: 'Whether requests without `senderId` are sent from this sender.',
  example: false,
};

/** Optional `senderId` of requests that send. */
export function SenderIdField(description: string): PropertyDecorator {
  return (target, property) => {
    ApiPropertyOptional({ ...SENDER_ID, description })(target, property);
    IsOptional()(target, property);
    IsUUID()(target, property);
  };
}

/** Body of `POST /accounts/{id}/senders`. */
export class AddSenderDto extends CreateSenderDto {
  @ApiPropertyOptional(SKIP_CHECK)
  @MayBeAbsent()
  @IsBoolean()
  skipCheck?: boolean;
}

/** Body of `PATCH /accounts/{id}/senders/{senderId}`; absent fields keep their values. */
export class ChangeAccountSenderDto extends ChangeSenderDto {
  @ApiPropertyOptional({
    description: 'Makes this sender the default of its account instead of another one.',
    enum: [true],
    example: true,
  })
  @MayBeAbsent()
  @Equals(true, { message: 'default must be true: make another sender the default instead of this one' })
  default?: true;

  @ApiPropertyOptional(SKIP_CHECK)
  @MayBeAbsent()
  @IsBoolean()
  skipCheck?: boolean;
}

/** The fields of a new sender, with its defaults. */
export function senderFields({ skipCheck: _, ...fields }: AddSenderDto): SenderFields {
  return { ...UNSET_SENDER_FIELDS, ...fields };
}

/** The fields of the sender that are present in the body. */
export function senderChange({ skipCheck: _, ...change }: ChangeAccountSenderDto): SenderChange {
  return change;
}

/** A sender without its secrets, as the operator sets it. */
export class AccountSenderDto extends SenderDto {
  @ApiProperty(SENDER_ID)
  id: string;

  @ApiProperty(IS_DEFAULT)
  default: boolean;

  @ApiPropertyOptional({ ...SENDER_PORTFOLIO_ID, nullable: undefined })
  businessPortfolioId?: string;

  static of({ sender, isDefault }: AccountSender): AccountSenderDto {
    const { id, businessPortfolioId } = sender;
    return {
      ...{ id, default: isDefault, ...SenderDto.from(sender) },
      ...(businessPortfolioId !== null && { businessPortfolioId }),
    };
  }
}

const SENDER = { phoneNumberId: '109876543210043', businessAccountId: '204876543210042' };

/** Bodies that can be sent unchanged. */
export const ADD_SENDER_EXAMPLES = {
  sender: { summary: 'A second phone number', value: { ...SENDER, displayPhoneNumber: '+1 555 010 0043' } },
};

export const CHANGE_SENDER_EXAMPLES = {
  default: { summary: 'Make it the default sender', value: { default: true } },
  limits: { summary: 'A limit of the operator', value: { messagesPerSecond: 40 } },
};
