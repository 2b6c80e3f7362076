import { translatedWords } from '../../words/translated-words.ts'

interface TextWords {
  spans: {
    /** `text`: as it is written out. */
    escape(name: string, text: string): string
    spelled(name: string): string
    mixed(name: string): string
    mask(name: string): string
    leftOut: string
  }
  folded(characters: number, lines: number): string
  unfold: string
  more(next: number, left: number): string
}

/** What is said around text from outside: what its marks mean, and how much of it is folded. */
export const TEXT_WORDS = translatedWords<TextWords>(
  {
    spans: {
      escape: (name) => `hidden character: ${name}`,
      spelled: (name) => `written out: ${name}`,
      mixed: (name) => `look-alike characters: ${name}`,
      mask: (name) => `masked: ${name}`,
      leftOut: 'left out here; the whole value is below',
    },
    folded: (characters, lines) =>
      lines > 1
        ? `${lines.toLocaleString('en')} lines folded`
        : `${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'} folded`,
    unfold: 'Show',
    more: (next, left) =>
      `Show ${next.toLocaleString('en')} more characters (${left.toLocaleString('en')} left)`,
  },
  {
    spans: {
      escape: (_, text) => `不可见字符：${text}`,
      spelled: (name) => `以文字标出：${name}`,
      mixed: (name) => `含易混淆的字符：${name}`,
      mask: (name) => `已遮盖：${name}`,
      leftOut: '此处有省略，可在下方查看全文',
    },
    folded: (characters, lines) =>
      lines > 1
        ? `已折叠 ${lines.toLocaleString('zh')} 行`
        : `已折叠 ${characters.toLocaleString('zh')} 个字符`,
    unfold: '展开',
    more: (next, left) =>
      `再显示 ${next.toLocaleString('zh')} 个字符（剩余 ${left.toLocaleString('zh')} 个）`,
  },
)
