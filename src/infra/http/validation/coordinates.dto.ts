import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';

/** A point on the earth, in degrees. */
export class CoordinatesDto {
  @ApiProperty({ description: 'Degrees north of the equator.', example: 52.520008, minimum: -90, maximum: 90 })
  @IsNumber()
  @Min(-90)
  @Max(90)
  latitude: number;

  @ApiProperty({ description: 'Degrees east of Greenwich.', example: 13.404954, minimum: -180, maximum: 180 })
  @IsNumber()
  @Min(-180)
  @Max(180)
  longitude: number;
}
