/** What somebody names in a wish: places, a recipient, a sum, a file, a text. Simple rules for English and Chinese, nothing more. */

/** Words that follow "in", "for" or "weather" and are no place. */
const NO_PLACE = new Set(
  `a about an any at be but by can city could day days degrees do does everywhere file for forecast from give going
  here how i if in is it its like look me moment month morning afternoon evening my near next night not now of on our
  outside please right show so some tell that the there this to today tomorrow tonight town up us want was we week
  weekend what where will with would you your here's celsius fahrenheit
  monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
)

const MAX_PLACES = 5

/** At most five; none where the words name none. */
export function placesIn(text: string): string[] {
  const found = /\p{Script=Han}/u.test(text) ? chinesePlaces(text) : englishPlaces(text)
  return [...new Set(found)].slice(0, MAX_PLACES)
}

/** "in New York and Oslo", "Oslo weather", "weather Oslo". */
function englishPlaces(text: string): string[] {
  const words =
    text.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’.-]*|,/gu)?.map((word) => word.replace(/\.$/, '')) ?? []
  const after = (index: number) => namesFrom(words, index + 1)
  const isWeather = (word: string) =>
    /^(?:weather|forecast|temperature|rain|raining|snow|snowing)$/i.test(word)
  for (const [index, word] of words.entries()) {
    if (!/^(?:in|for|at|near|of|about)$/i.test(word)) continue
    const names = after(index)
    if (names.length > 0) return names
  }
  for (const [index, word] of words.entries()) {
    if (!isWeather(word)) continue
    const before = words.slice(0, index).join(' ')
    const named = /((?:\p{Lu}[\p{L}\p{M}’'.-]*\s?)+)$/u
      .exec(before)?.[1]
      ?.trim()
      .replace(/['’]s$/, '')
    if (
      named !== undefined &&
      !NO_PLACE.has(named.toLowerCase()) &&
      !/^(?:what|how|is|will|does)\b/i.test(named)
    )
      return [named]
    const names = after(index)
    if (names.length > 0) return names
  }
  return []
}

/** Words up to one that is no part of a name; "and", "or" and commas part them. */
function namesFrom(words: readonly string[], start: number): string[] {
  const names: string[][] = [[]]
  for (const word of words.slice(start, start + 20)) {
    if (/^(?:and|or|,)$/i.test(word)) names.push([])
    else if (NO_PLACE.has(word.toLowerCase()) || /^\p{N}/u.test(word)) break
    else names.at(-1)!.push(word.replace(/['’]s$/, ''))
  }
  return names.filter((each) => each.length > 0 && each.length <= 4).map((each) => each.join(' '))
}

const CHINESE_FILLERS =
  /请问|请|帮我|帮忙|麻烦|我想知道|我想|想问|告诉我|查一下|查询|查查|查|看一下|看看|问一下|一下|今天|明天|后天|今晚|现在|目前|这周|本周|周末|怎么样|怎样|如何|好不好|好吗|会不会|是什么|什么|多少|的|吗|呢|吧|那么|那边|那里|那|当地|这里|我们|我|你|您|会|在|冷|热/g

function chinesePlaces(text: string): string[] {
  const at = /天气|气温|温度|下雨|下雪/.exec(text)
  const parts = at === null ? [text] : [text.slice(0, at.index), text.slice(at.index + at[0].length)]
  for (const part of parts) {
    const names = part
      .replace(/天气|气温|温度|下雨|下雪/g, '')
      .replace(CHINESE_FILLERS, ' ')
      .split(/[和与跟及、，,。？?！!；;：:\s]+/)
      .filter((name) => name !== '' && name.length <= 20)
    if (names.length > 0) return names
  }
  return []
}

const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/

/** An address, or a name after "to", 给 or 向; "pay Ada 5 euros" too. */
export function recipientIn(text: string): string | undefined {
  const address = ADDRESS.exec(text)?.[0]
  if (address !== undefined) return address
  const chinese = /[给向]\s*([\p{L}\p{N}·]{1,20}?)\s*(?:发|写|转|付|支付|打款|汇|寄|\d)/u.exec(text)?.[1]
  if (chinese !== undefined) return chinese
  for (const [, name = ''] of text.matchAll(
    /\b(?:to|pay|email|mail|refund|tell)\s+(\p{L}[\p{L}\p{M}’'-]{0,40}(?:\s\p{Lu}[\p{L}\p{M}’'-]{0,40})?)/giu,
  )) {
    if (
      !NO_PLACE.has(name.split(' ')[0]!.toLowerCase()) &&
      !/^(?:send|write|pay|them|him|her|someone|somebody)\b/i.test(name)
    )
      return name
  }
  return undefined
}

const CURRENCIES: readonly (readonly [code: string, names: RegExp])[] = [
  ['USD', /^(?:\$|usd|dollars?|bucks?|美元|美金)$/i],
  ['EUR', /^(?:€|eur|euros?|欧元)$/i],
  ['GBP', /^(?:£|gbp|pounds?|英镑)$/i],
  ['NOK', /^(?:nok|kroner|krone|挪威克朗)$/i],
  ['JPY', /^(?:jpy|yen|日元)$/i],
  ['CHF', /^(?:chf|francs?|瑞士法郎)$/i],
  ['CNY', /^(?:¥|￥|cny|rmb|yuan|元|块|块钱|人民币)$/i],
]

export interface Sum {
  amount: number
  currency: string
}

/** "250 euros", "$5", "1,200.50 USD", 200 元. */
export function sumIn(text: string): Sum | undefined {
  const found =
    /(?<before>[$€£¥￥])\s?(?<amount>\d[\d,]{0,12}(?:\.\d{1,2})?)|(?<amount2>\d[\d,]{0,12}(?:\.\d{1,2})?)\s?(?<after>[$€£]|美元|美金|欧元|英镑|日元|挪威克朗|瑞士法郎|块钱|人民币|元|块|\p{L}{2,7})/u.exec(
      text,
    )
  if (found?.groups === undefined) return undefined
  const { before, after, amount, amount2 } = found.groups
  const named = before ?? after ?? ''
  const currency = CURRENCIES.find(([, names]) => names.test(named))?.[0]
  if (currency === undefined) return undefined
  return { amount: Number((amount ?? amount2 ?? '').replaceAll(',', '')), currency }
}

/** The first word that looks like a file: with an ending, and no address. */
export function fileIn(text: string): string | undefined {
  const plain = text.replace(new RegExp(ADDRESS, 'g'), ' ').replace(/\bhttps?:\/\/\S+/gi, ' ')
  return /(?<![\w./-])[\w./][\w./-]{0,120}\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w-])/.exec(plain)?.[0]
}

/** What stands in quotes, or after words such as "saying". */
export function textIn(text: string): string | undefined {
  const quoted = /[“"「『]([^“”"「」『』]{1,2000})[”"」』]/.exec(text)?.[1]
  const said =
    /(?:\b(?:saying|says?|say|containing|with the (?:text|words|content)|reading|telling (?:him|her|them)|that)\b:?|内容(?:是|为)?[:：]?|写上|写着|告诉(?:他|她|它|对方)|说[:：]?)\s*(\S.*)$/isu.exec(
      text,
    )?.[1]
  return (quoted ?? said)?.trim() || undefined
}

/** What is to be run: in backticks, or all that follows "run". */
export function commandIn(text: string): string | undefined {
  const marked = /`([^`\n]{1,500})`/.exec(text)?.[1]
  const rest = /(?:\b(?:run|execute)\b|运行|执行)(?:一下|命令)?[:：]?\s*(\S[^\n]{0,500})/iu.exec(text)?.[1]
  const command = (marked ?? rest)
    ?.trim()
    .replace(/^(?:the )?command:?\s+/i, '')
    .replace(/(?:[,，]?\s*(?:please|for me))?[.?!。？！]*$/i, '')
  return command === '' ? undefined : command
}
