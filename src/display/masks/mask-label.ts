/**
 * What a mask says: why a value is hidden, and what stands in its place. Also for masks as they go over the wire.
 *
 * In arguments a mask is notation: the same text for every reader, which an edit sends back. Where arguments are shown, the same mask is
 * written in the reader's language, made of its kind, name and length.
 */
import { groupDigits } from '../text/shorten.ts'
import { CLOSING_BRACKET, OPENING_BRACKET } from '../text/visible.ts'
import type { Locale } from '../words/rendering-words.ts'
import type { SecretKind } from './secret-kind.ts'

/** Nothing there has the name, so that it would be no reason to a reader. */
export const CONNECTION_PASSWORD = 'password of a connection string'

export interface LabelledMask {
  kind: string
  length: number
  name?: string
}

export function maskLabel({ kind, name }: Omit<LabelledMask, 'length'>, locale: Locale = 'en'): string {
  if (name !== undefined && kind !== CONNECTION_PASSWORD)
    return locale === 'en' ? `hidden because of its name "${name}"` : `因名称“${name}”而隐藏`
  return locale === 'zh' && Object.hasOwn(CHINESE_KINDS, kind)
    ? CHINESE_KINDS[kind as keyof typeof CHINESE_KINDS]
    : kind
}

const CHINESE_KINDS: Readonly<Record<SecretKind | typeof CONNECTION_PASSWORD, string>> = {
  'Anthropic key': 'Anthropic 密钥',
  'AWS access key': 'AWS 访问密钥',
  'bearer token': 'Bearer 令牌',
  'DigitalOcean token': 'DigitalOcean 令牌',
  'GitHub token': 'GitHub 令牌',
  'GitLab token': 'GitLab 令牌',
  'Google key': 'Google 密钥',
  'Hugging Face token': 'Hugging Face 令牌',
  'JSON Web Token': 'JSON Web Token',
  'npm token': 'npm 令牌',
  'private key': '私钥',
  'PyPI token': 'PyPI 令牌',
  'secret key': '密钥',
  'Slack token': 'Slack 令牌',
  'Stripe key': 'Stripe 密钥',
  'opaque secret': '机密',
  [CONNECTION_PASSWORD]: '连接字符串中的密码',
}

/** What all masks begin with. */
export const MASK_STARTS: Readonly<Record<Locale, string>> = { en: 'masked: ', zh: '已遮盖：' }

/** Writes the masks of one call, in their order: of those that say the same, the second has `#2`, and so on. */
export function createCoverWriter(locale: Locale): (mask: LabelledMask) => string {
  const counts = new Map<string, number>()
  return (mask) => {
    const label = maskLabel(mask, locale)
    const length = groupDigits(mask.length)
    const shape = `${label} ${length}`
    const count = (counts.get(shape) ?? 0) + 1
    counts.set(shape, count)
    const named = count === 1 ? label : `${label} #${count}`
    const said = locale === 'en' ? `${named}, ${length} characters` : `${named}，${length} 个字符`
    return `${OPENING_BRACKET}${MASK_STARTS[locale]}${said}${CLOSING_BRACKET}`
  }
}

/** Values with masks in them as the reader is shown them, by the place of each mask. */
export function maskedValuesIn(
  masks: readonly (LabelledMask & { pointer: string })[],
  locale: Locale,
): ReadonlyMap<string, (value: string) => string> {
  const [written, shown] = [createCoverWriter('en'), createCoverWriter(locale)]
  return new Map(
    masks.map((mask) => {
      const [from, to] = [written(mask), shown(mask)]
      return [mask.pointer, (value) => value.split(from).join(to)]
    }),
  )
}

/** The same masks in the words of another language. */
export function masksIn<M extends LabelledMask & MaskPieces>(
  masks: readonly M[],
  locale: Locale,
): readonly M[] {
  if (locale === 'en') return masks
  const write = createCoverWriter(locale)
  return masks.map((mask) => {
    const { before, after } = mask.around ?? { before: '', after: '' }
    return { ...mask, text: before + write(mask) + after, label: maskLabel(mask, locale) }
  })
}

/** A mask as a screen shows it: where only a part of a value is hidden, `around` is what is shown of the rest. */
export interface MaskPieces {
  text: string
  around?: { before: string; after: string }
  /** What it says in the reader's language, where that isn't English. */
  label?: string
}

/** The mask by itself, without what is shown around it. */
export function coverOf({ text, around }: MaskPieces): string {
  return around === undefined ? text : text.slice(around.before.length, text.length - around.after.length)
}
