/** Hands a text that the page has made to the browser, to be kept as a file. Nothing goes over the network. */

/** Long enough for the browser to have taken hold of it. */
const KEEP_MS = 60_000

export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
}

/** `2026-01-05-1430`, by the reader's clock, for the name of a file. */
export function stampOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
  return `${day}-${two(moment.getHours())}${two(moment.getMinutes())}`
}
