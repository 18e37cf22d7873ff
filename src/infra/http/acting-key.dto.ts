import { ApiProperty } from '@nestjs/swagger';
import type { ActingKey } from '../../kernel/acting-key';

/** The API key with which something was done. */
export class ActingKeyDto implements ActingKey {
  @ApiProperty({
    description: 'Id of the key; of an action in the console, of the key that signed in.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a33',
  })
  keyId: string;

  @ApiProperty({
    description: 'Its present name; null once it has been deleted.',
    type: String,
    nullable: true,
    example: 'Web shop',
  })
  keyName: string | null;
}
