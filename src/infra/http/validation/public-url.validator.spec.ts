import { validateSync } from 'class-validator';
import { IsMediaUrl } from '../../../modules/templates/adapters/template-extras.dto';
import { errorsOf } from './request-validation.pipe';

class Media {
  @IsMediaUrl()
  url: string;
}

const errorOf = (url: string) => errorsOf(validateSync(Object.assign(new Media(), { url })))[0];

describe('IsPublicUrl', () => {
  it.each([
    'http://localhost:3000/a.png',
    'https://LOCALHOST./a.png',
    'http://printer/a.png',
    'http://nas.local/a.png',
    'http://files.internal/a.png',
    'http://127.0.0.1/a.png',
    'http://0x7f.1/a.png',
    'http://10.1.2.3/a.png',
    'http://100.64.0.1/a.png',
    'http://172.31.255.255/a.png',
    'http://192.168.0.1/a.png',
    'http://169.254.169.254/latest',
    'http://[::1]/a.png',
    'http://[fd00::1]/a.png',
    'http://[fe80::1]/a.png',
    'http://[::ffff:10.0.0.1]/a.png',
  ])('rejects %s, which the platform cannot reach, with a remedy', (url) => {
    expect(errorOf(url)).toMatchObject({
      code: 'invalid_format',
      message: expect.stringMatching(/^url .*public.*POST \/media/),
    });
  });

  it.each([
    'https://files.example.com/a.png',
    'https://localhost.example.com/a.png',
    'http://172.32.0.1/a.png',
    'http://8.8.8.8/a.png',
    'http://[2606:4700::1111]/a.png',
  ])('accepts %s', (url) => {
    expect(errorOf(url)).toBeUndefined();
  });

  it.each(['nowhere', 'file:///etc/passwd', 'ftp://localhost/a'])('leaves %s to the URL check', (url) => {
    expect(errorOf(url)?.message).toContain('starts with https://');
  });
});
