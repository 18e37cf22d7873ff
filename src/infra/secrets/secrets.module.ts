import { type DynamicModule, Module } from '@nestjs/common';
import { encryptionKeyFrom, type EncryptionKeySource } from './encryption-key';
import { SecretBox } from './secret-box';

function boxOf(source: EncryptionKeySource): SecretBox {
  const { previousEncryptionKey: previous } = source;
  return new SecretBox(encryptionKeyFrom(source), previous === undefined ? [] : [Buffer.from(previous, 'base64')]);
}

/** Provides the encryption of stored secrets to every module. */
@Module({})
export class SecretsModule {
  static register(source: EncryptionKeySource): DynamicModule {
    return {
      module: SecretsModule,
      global: true,
      providers: [{ provide: SecretBox, useFactory: () => boxOf(source) }],
      exports: [SecretBox],
    };
  }
}
