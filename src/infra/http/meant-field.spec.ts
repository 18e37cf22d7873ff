import { IsOptional, IsString } from 'class-validator';
import { meantField } from './meant-field';

class Order {
  @IsString()
  templateName?: string;

  @IsOptional()
  headerMediaUrl?: string | null;

  @IsString()
  to?: string;
}

describe('meantField', () => {
  it.each([
    ['template_name', 'templateName'],
    ['TEMPLATE NAME', 'templateName'],
    ['templatNaem', 'templateName'],
    ['headerMediaURL', 'headerMediaUrl'],
    ['header_media_uri', 'headerMediaUrl'],
    ['To', 'to'],
    ['id', undefined],
    ['colour', undefined],
    ['template_name'.repeat(9), undefined],
  ])('takes %s for %p', (unknown, meant) => {
    expect(meantField(unknown, new Order())).toBe(meant);
  });

  it('does not name a field that the request has', () => {
    expect(meantField('template_name', Object.assign(new Order(), { templateName: 'x' }))).toBeUndefined();
    expect(meantField('header_media_url', Object.assign(new Order(), { headerMediaUrl: null }))).toBe('headerMediaUrl');
  });
});
