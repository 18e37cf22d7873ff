import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountStatus } from '../domain/account';

/** A row of `accounts`. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'plan', type: 'text' })
  plan: string;

  @Column({ name: 'status', type: 'text' })
  status: AccountStatus;

  @Column({ name: 'sending_paused', type: 'boolean' })
  sendingPaused: boolean;

  @Column({ name: 'default_country', type: 'text', nullable: true })
  defaultCountry: string | null;

  @Column({ name: 'business_portfolio_id', type: 'text', nullable: true })
  businessPortfolioId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
