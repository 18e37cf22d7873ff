import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { MessagingTier } from '../domain/sender';
import { AccountEntity } from './account.entity';

/** A row of `senders`; NULL in token or secret: the environment's is used. */
@Entity('senders')
export class SenderEntity {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account: AccountEntity;

  @Column({ name: 'is_default', type: 'boolean' })
  isDefault: boolean;

  @Column({ name: 'phone_number_id', type: 'text' })
  phoneNumberId: string;

  @Column({ name: 'business_account_id', type: 'text' })
  businessAccountId: string;

  @Column({ name: 'display_phone_number', type: 'text', nullable: true })
  displayPhoneNumber: string | null;

  @Column({ name: 'business_portfolio_id', type: 'text', nullable: true })
  businessPortfolioId: string | null;

  @Column({ name: 'configured_messages_per_second', type: 'integer', nullable: true })
  configuredMessagesPerSecond: number | null;

  @Column({ name: 'configured_messaging_tier', type: 'text', nullable: true })
  configuredMessagingTier: MessagingTier | null;

  /** The limit in effect: the configured one, the platform's or the default. */
  @Column({ name: 'messages_per_second', type: 'integer', insert: false, update: false })
  messagesPerSecond: number;

  @Column({ name: 'messaging_tier', type: 'text', insert: false, update: false })
  messagingTier: MessagingTier;

  @Column({ name: 'access_token_encrypted', type: 'text', nullable: true })
  accessTokenEncrypted: string | null;

  @Column({ name: 'app_secret_encrypted', type: 'text', nullable: true })
  appSecretEncrypted: string | null;

  @Column({ name: 'marketing_messages_api', type: 'boolean' })
  marketingMessagesApi: boolean;

  @Column({ name: 'templates_synced_at', type: 'timestamptz', nullable: true })
  templatesSyncedAt: Date | null;
}
