/** Whether this device has only a touch screen, whose keyboard has no Shift+Enter. */
export function isTouchOnly(): boolean {
  return matchMedia('(pointer: coarse) and (hover: none)').matches;
}
