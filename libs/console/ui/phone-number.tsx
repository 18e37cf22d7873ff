/** A phone number in digit groups; any other text is shown unchanged. */
export function PhoneNumber({ value }: { value: string }) {
  return (
    <bdi className="phone" dir="ltr">
      {grouped(value)}
    </bdi>
  );
}

function grouped(value: string): string {
  const digits = /^\+?(\d{7,15})$/.exec(value)?.[1];
  if (!digits) return value;
  return `+${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5).replace(/(\d{4})(?=\d)/g, '$1 ')}`;
}
