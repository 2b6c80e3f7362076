/** Gathers, from all that is shown, what a person should know before they read on. */
import type { VisibleText } from '../../core/rendering.ts'
import type { Mask } from '../masks/mask-values.ts'
import { hasRightToLeft } from '../text/right-to-left.ts'
import { countCharacters, shorten } from '../text/shorten.ts'
import type { RenderingWords } from '../words/rendering-words.ts'

export interface WarningCollector {
  /** To be told of every text that came from outside. Gives the text back. */
  see(text: VisibleText): VisibleText
  seeShortened(): void
  /** A part of some argument is not shown. */
  isShortened(): boolean
  add(warning: string): void
  list(masks: readonly Mask[]): string[]
}

export function createWarningCollector(words: RenderingWords): WarningCollector {
  const hidden = new Map<string, number>()
  const mixed = new Set<string>()
  const others = new Set<string>()
  let shortened = 0
  let isRightToLeft = false
  return {
    see(text) {
      for (const { kind, name, text: shown } of text.spans) {
        if (kind === 'escape') hidden.set(name ?? shown, (hidden.get(name ?? shown) ?? 0) + runOf(shown))
        else if (kind === 'mixed-script') mixed.add(short(shown))
      }
      isRightToLeft ||= hasRightToLeft(text.text)
      return text
    },
    seeShortened() {
      shortened++
    },
    isShortened: () => shortened > 0,
    add(warning) {
      others.add(warning)
    },
    list(masks) {
      const covered = masks.filter(({ mustUncover }) => mustUncover).length
      const masked = masks.length - covered
      const counted = [...hidden].map(([name, count]) => {
        const said = words.warnings.hiddenName(name)
        return count === 1 ? said : `${said} ×${count}`
      })
      return [
        ...(counted.length > 0 ? [words.warnings.hidden(enumerate(counted, words))] : []),
        ...(mixed.size > 0 ? [words.warnings.mixed(enumerate([...mixed], words))] : []),
        ...(isRightToLeft ? [words.warnings.rightToLeft] : []),
        ...others,
        ...(masked > 0 ? [words.warnings.masked(masked)] : []),
        ...(covered > 0 ? [words.warnings.mustUncover(covered)] : []),
        ...(shortened > 0 ? [words.warnings.shortened(shortened)] : []),
      ]
    },
  }
}

const MOST_NAMED = 6
const LONGEST_WORD = 60

function runOf(shown: string): number {
  return Number(/ ×(\d+)\u27e9$/.exec(shown)?.[1] ?? 1)
}

/** A word that is longer than any real one keeps its end, where its mark is. */
function short(word: string): string {
  if (countCharacters(word) <= LONGEST_WORD) return word
  const { head, tail } = shorten(word, LONGEST_WORD)
  return `${head}…${tail}`
}

function enumerate(names: string[], words: RenderingWords): string {
  const named = names.slice(0, MOST_NAMED).join(', ')
  const more = names.length - MOST_NAMED
  return more > 0 ? `${named}, ${words.warnings.moreKinds(more)}` : named
}
