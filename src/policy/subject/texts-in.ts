/** Every text in the arguments of a call, with the key it stands under. What stands there twice is looked at once. */
export function* textsIn(value: unknown): Generator<{ key: string; text: string }> {
  const seen = new Set<object>()
  const pending: { key: string; value: unknown }[] = [{ key: '', value }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { key, value: one } = next
    if (typeof one === 'string') yield { key, text: one }
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    for (const [name, member] of Object.entries(one)) {
      // Most of a large call is numbers.
      if (typeof member !== 'string' && typeof member !== 'object') continue
      pending.push({ key: Array.isArray(one) ? key : name, value: member })
    }
  }
}

export function someText(value: unknown, test: RegExp): boolean {
  for (const { text } of textsIn(value)) if (test.test(text)) return true
  return false
}
