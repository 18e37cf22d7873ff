import type { TemplateDto } from '../../../client/generated/types.gen';
import { type FieldError, FieldProblem } from '../../app/field-problem';
import { slotsOf } from '../../ui/bubble/template-values';
import { Input } from '../../ui/field';

/** An input for each value of a template, in API order. */
export function ValueFields({
  template,
  values,
  onChange,
  problemOf = () => undefined,
}: {
  template: TemplateDto;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  problemOf?: (index: number) => FieldError | undefined;
}) {
  const slots = slotsOf(template);
  return slots.map(({ part, card, name, label }, index) => {
    const problem = problemOf(index);
    return (
      <Input
        key={[card, part, name].join()}
        label={label}
        value={values[index] ?? ''}
        maxLength={1024}
        dir="auto"
        error={problem && <FieldProblem {...problem} />}
        onChange={(text) => onChange(slots.map((_slot, at) => (at === index ? text : (values[at] ?? ''))))}
      />
    );
  });
}
