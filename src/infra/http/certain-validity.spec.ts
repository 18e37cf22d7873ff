import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { isCertainlyValid } from './certain-validity';
import { MayBeAbsent } from './may-be-absent.decorator';

class Inner {
  @IsString()
  @MaxLength(3)
  text: string;
}

class Base {
  @IsInt()
  @Min(0)
  count: number;

  @IsOptional()
  @IsString()
  name?: string;
}

class Whole extends Base {
  @IsString()
  @MaxLength(2)
  override name?: string;

  @IsDefined()
  @IsIn(['a', 'b'])
  kind: string;

  @MayBeAbsent()
  @IsString({ each: true })
  words?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => Inner)
  items?: Inner[];

  @ValidateIf(({ kind }: Whole) => kind === 'a')
  @ValidateNested()
  @Type(() => Inner)
  inner?: Inner;
}

class Asking {
  @ValidateBy({ name: 'asks', validator: { validate: (value) => Promise.resolve(value === 1) } })
  answer: number;
}

const text = fc.constantFrom('', 'a', 'b', 'abc', 'abcd');
const anything = fc.oneof(
  text,
  fc.constantFrom(null, undefined, 0, 1, -1, 0.5, true, [], {}, [[]], [null], [undefined]),
);
const inner = fc.oneof(
  fc.record({ text }),
  fc.record({ text: anything }),
  fc.constant({ text: 'a', more: 1 }),
  anything,
);
const likely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: anything });
const known = fc.record(
  {
    count: likely(fc.nat()),
    name: likely(text),
    kind: likely(fc.constantFrom('a', 'b')),
    words: likely(fc.array(text, { maxLength: 2 })),
    items: likely(fc.array(inner, { maxLength: 3 })),
    inner,
  },
  { requiredKeys: ['count', 'kind'] },
);

const bodies = fc.oneof(
  { weight: 9, arbitrary: known },
  { weight: 1, arbitrary: known.map((body) => ({ ...body, unknown: 1 })) },
);

const RULES = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };

describe('What is certainly valid', () => {
  it('is exactly what class-validator finds no error in', async () => {
    const seen = { valid: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const object = plainToInstance(Whole, body);
        const isValid = (await validate(object, RULES)).length === 0;
        seen[isValid ? 'valid' : 'invalid']++;
        expect(isCertainlyValid(object)).toBe(isValid);
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });

  it('is nothing that has to be waited for, and nothing without a class', () => {
    expect(isCertainlyValid(Object.assign(new Asking(), { answer: 1 }))).toBe(false);
    expect([null, 'text', Object.create(null)].map(isCertainlyValid)).toEqual([false, false, false]);
  });
});
