import { IsOptional, IsString } from 'class-validator';
import { suggestField } from './suggest-field';

class Order {
  @IsString()
  templateName?: string;

  @IsOptional()
  headerMediaUrl?: string | null;

  @IsString()
  to?: string;
}

describe('suggestField', () => {
  it.each([
    ['template_name', 'templateName'],
    ['TEMPLATE NAME', 'templateName'],
    ['templatNaem', 'templateName'],
    ['headerMediaURL', 'headerMediaUrl'],
    ['header_media_uri', 'headerMediaUrl'],
    ['To', 'to'],
    ['phone', 'to'],
    ['phone_number', 'to'],
    ['values', undefined],
    ['id', undefined],
    ['colour', undefined],
    ['template_name'.repeat(9), undefined],
  ])('suggests for %s: %p', (unknown, suggestion) => {
    expect(suggestField(unknown, new Order())).toBe(suggestion);
  });

  it('does not suggest a field that the request has', () => {
    expect(suggestField('template_name', Object.assign(new Order(), { templateName: 'x' }))).toBeUndefined();
    expect(suggestField('header_media_url', Object.assign(new Order(), { headerMediaUrl: null }))).toBe(
      'headerMediaUrl',
    );
  });
});
