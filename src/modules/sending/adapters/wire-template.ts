import type {
  FilledComponent,
  FilledParameter,
  FilledTemplate,
  HeaderMedia,
} from '../../templates/domain/sendable-template';

/** The `template` object of a message, as the Cloud API takes it. */
export function toWireTemplate(template: FilledTemplate): object {
  return {
    name: template.name,
    language: { code: template.languageCode },
    ...(template.components.length > 0 && { components: template.components.map(toWireComponent) }),
  };
}

function toWireComponent(component: FilledComponent): object {
  const parameters = component.parameters.map(toWireParameter);
  if (component.part !== 'button') return { type: component.part, parameters };
  const sub_type = component.action === 'url' ? 'url' : 'copy_code';
  return { type: 'button', sub_type, index: String(component.index), parameters };
}

function toWireParameter(parameter: FilledParameter): object {
  switch (parameter.kind) {
    case 'text':
      return { type: 'text', ...(parameter.name && { parameter_name: parameter.name }), text: parameter.text };
    case 'couponCode':
      return { type: 'coupon_code', coupon_code: parameter.code };
    case 'media':
      return { type: parameter.mediaType, [parameter.mediaType]: toWireMedia(parameter.media) };
  }
}

function toWireMedia({ id, link, fileName: filename }: HeaderMedia): object {
  return { id, link, filename };
}
