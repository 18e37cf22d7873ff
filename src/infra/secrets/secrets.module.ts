import { type DynamicModule, Module } from '@nestjs/common';
import { encryptionKeyFrom, type EncryptionKeySource } from './encryption-key';
import { SecretBox } from './secret-box';

/** Provides the encryption of stored secrets to every module. */
@Module({})
export class SecretsModule {
  static register(source: EncryptionKeySource): DynamicModule {
    return {
      module: SecretsModule,
      global: true,
      providers: [{ provide: SecretBox, useFactory: () => new SecretBox(encryptionKeyFrom(source)) }],
      exports: [SecretBox],
    };
  }
}
