import { ApiProperty } from '@nestjs/swagger';
import type { ActingKey } from '../../../kernel/acting-key';

/** The API key behind an action. */
export class ActingKeyDto implements ActingKey {
  @ApiProperty({
    description: 'Id of the key; for actions in the console, of the key that signed in.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a33',
  })
  keyId: string;

  @ApiProperty({
    description: 'Current name of the key; null if the key was deleted.',
    type: String,
    nullable: true,
    example: 'Web shop',
  })
  keyName: string | null;
}
