import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '../../../kernel/caller';

/** A row of `api_keys`, without the hashes of its secrets. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'prefix', type: 'text' })
  prefix: string;

  @Column({ name: 'previous_valid_until', type: 'timestamptz', nullable: true })
  previousValidUntil: Date | null;

  @Column({ name: 'scopes', type: 'text', array: true })
  scopes: Scope[];

  @Column({ name: 'allowed_ips', type: 'text', array: true })
  allowedIps: string[];

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
