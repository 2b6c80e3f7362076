/** Whether a key sends what was typed: Enter alone, and never the one that ends a composition of Chinese or the like. */
export function isSendKey(
  event: Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode' | 'shiftKey' | 'altKey'>,
): boolean {
  // Some browsers say that the composition is over before they tell of the key that ended it, which then has this number.
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  return !event.shiftKey && !event.altKey
}
